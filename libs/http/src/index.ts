export { createApi, DEFAULT_MAX_BODY_BYTES, type ApiOptions } from './api.ts';
export { authorize, mayCall } from './authorize.ts';
export { BodyMark } from './body-mark.ts';
export type { Authenticate, Caller, RequestContext } from './caller.ts';
export { doerOf } from './doer.ts';
export { sendJsonLines } from './send-lines.ts';
export { idempotencyKeyOf } from './idempotency.ts';
export { destroyLater, keepOpenForBody } from './early-answer.ts';
export { hasBody } from './has-body.ts';
export { readPrivateKey, readPublicKeys } from './identity/keys.ts';
export { createIdentitySigner, type IdentitySigner } from './identity/signer.ts';
export { IDENTITY_HEADER, SERVICE_REQUEST_ID_HEADER, TRACE_HEADER } from './identity/token.ts';
export { createIdentityVerifier } from './identity/verifier.ts';
export { answer, route, type Route, type RouteHandler } from './implement.ts';
export { decodeUtf8, parseJsonText, readBody, readJsonBody } from './json-body.ts';
export { openAiErrorBody, ProviderAnswerError, type OpenAiError } from './openai-error.ts';
export { healthStatus, operationsRouter, type OperationsOptions } from './operations.ts';
export { listen, MAX_HEADER_BYTES, SERVER_KEEP_ALIVE_MS, type RunningServer, type StopOptions } from './server.ts';
export type { LineOptions } from './answer-lines.ts';
export {
  createServiceClient,
  type LineOf,
  type ServiceClient,
  type ServiceClientOptions,
  type SuccessBody,
} from './service-client.ts';
export { isSuccess, tracedRequest, type ServiceAnswer } from './traced-request.ts';
export { receiveBody, restReceived, type BodyLimits, type BodyWatcher } from './receive-body.ts';
export { preconditionOf, type Precondition } from './precondition.ts';
export { invalid, parsePart } from './validate.ts';
