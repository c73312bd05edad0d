export type { CallOptions, EndpointOptions } from './endpoint.ts';
export {
  createInferenceClient,
  type ChatAnswer,
  type ChatMessage,
  type ChatOptions,
  type InferenceClient,
  type JsonOptions,
} from './inference-client.ts';
export { InferenceError, type InferenceErrorCode } from './inference-error.ts';
export { createTokenBudget, type TokenBudget } from './token-budget.ts';
