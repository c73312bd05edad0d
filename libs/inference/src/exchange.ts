import { MODEL_PURPOSE_HEADER, type ModelPurpose, type RouteSpec, type ServiceName } from '@clew/contracts';
import {
  IDENTITY_HEADER,
  isSuccess,
  SERVICE_REQUEST_ID_HEADER,
  tracedRequest,
  type IdentitySigner,
  type ServiceAnswer,
} from '@clew/http';
import { readJson } from '@clew/kernel';
import { errorOfAnswer, InferenceError } from './inference-error.ts';

export interface ExchangeOptions {
  /** Address of model-runtime-svc. */
  baseUrl: string;
  /** Process that calls, in its own name. */
  serviceName: ServiceName;
  sign: IdentitySigner;
  timeoutMs: number;
  maxAnswerBytes: number;
}

export interface ExchangedCall {
  projectId: string;
  purpose?: ModelPurpose | undefined;
  requestId?: string | undefined;
  /** Same for a repeat of the same call: a provider that supports such keys charges it once. */
  idempotencyKey?: string | undefined;
}

/** Sends one request to the endpoint and parses its answer. Throws InferenceError, or the signal's reason. */
export async function exchange(
  spec: RouteSpec,
  request: object,
  { projectId, purpose, requestId, idempotencyKey }: ExchangedCall,
  { baseUrl, serviceName, sign, timeoutMs, maxAnswerBytes }: ExchangeOptions,
  signal: AbortSignal,
): Promise<unknown> {
  const late = AbortSignal.timeout(timeoutMs);
  const unavailable = (message: string) => (error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof InferenceError) throw error;
    throw new InferenceError('UNAVAILABLE', message, { isTimeout: late.aborted, cause: error });
  };
  const response = await tracedRequest(new URL(spec.path.replace(':projectId', projectId), baseUrl), {
    method: spec.method.toUpperCase(),
    headers: {
      [IDENTITY_HEADER]: sign(spec.service, serviceName, { principal: { kind: 'service', id: serviceName } }),
      'content-type': 'application/json',
      ...(purpose === undefined ? {} : { [MODEL_PURPOSE_HEADER]: purpose }),
      ...(requestId === undefined ? {} : { [SERVICE_REQUEST_ID_HEADER]: requestId }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(request),
    signal: AbortSignal.any([signal, late]),
  }).catch(unavailable('The endpoint cannot be reached'));
  const text = await boundedText(response, maxAnswerBytes).catch(unavailable('The answer of the endpoint broke off'));
  const body = parsed(text);
  if (!isSuccess(response)) throw errorOfAnswer(response.statusCode, body, retryAfterOf(response));
  if (body === undefined) throw new InferenceError('INVALID_ANSWER', 'The answer is no JSON');
  return body;
}

/** Reads an answer with a limit, because it is held in memory: beyond the limit the connection is cut. */
async function boundedText({ body }: ServiceAnswer, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new InferenceError('INVALID_ANSWER', `The answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function retryAfterOf({ headers }: ServiceAnswer): string | null {
  const said = headers['retry-after'];
  return typeof said === 'string' ? said : null;
}

function parsed(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
