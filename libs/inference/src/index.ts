export { callDeadlineMs, startHeartbeats, type HeartbeatOptions } from './deadline.ts';
export type { CallOptions, EndpointOptions } from './endpoint.ts';
export {
  createInferenceClient,
  type ChatAnswer,
  type ChatMessage,
  type ChatOptions,
  type InferenceClient,
  type JsonAnswer,
  type JsonOptions,
} from './inference-client.ts';
export { InferenceError, type InferenceErrorCode, type Remedy } from './inference-error.ts';
export { createTokenBudget, type TokenBudget } from './token-budget.ts';
export type { Usage } from './usage.ts';
