import { readJson } from '@clew/kernel';
import { refused, unavailable, unknown, type Later, type Refused, type Unknown } from '../tracker/outcome.ts';

/** Response as far as the adapters read it. */
export interface TrackerResponse {
  status: number;
  headers: { get(name: string): string | null };
  body: AsyncIterable<Uint8Array> | null;
}

/** Fetch for addresses that people configure: `fetch` of `createOutbound` in `@clew/outbound`. */
export type TrackerFetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
) => Promise<TrackerResponse>;

export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  purpose: Purpose;
}

/**
 * Purpose of a request: a `change` whose end is not known may have had its effect, and an answer to a `test` that is
 * not understood means that the address is wrong.
 */
export type Purpose = 'read' | 'change' | 'test';

export interface Answer {
  status: number;
  /** Reads a header; null if it is absent. */
  header(name: string): string | null;
  text: string;
  /** Parsed text; undefined if it is no JSON. */
  json: unknown;
}

/** Maximum size of an answer, which is held in memory. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** Failures before anything was sent. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_NODATA',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Sends one request, once, and reads its answer. */
export async function send(
  fetch: TrackerFetch,
  { purpose, url, ...init }: HttpRequest,
  signal: AbortSignal,
): Promise<{ kind: 'answer'; answer: Answer } | Refused | Later | Unknown> {
  if (signal.aborted) return unavailable('The call was ended before its request was sent');
  const lost = (message: string) => (purpose === 'change' ? unknown(message) : unavailable(message));
  let response: TrackerResponse;
  try {
    response = await fetch(url, { ...init, signal });
  } catch (error) {
    const refusal = findCause(error, ({ code }) => code === 'OUTBOUND_REFUSED');
    if (refusal !== undefined) return refused('address', refusal.message);
    const failure = findCause(error, ({ code }) => NOT_CONNECTED.has(String(code)));
    if (failure !== undefined) return unavailable(`The provider cannot be reached (${String(failure.code)})`);
    return lost(signal.aborted ? 'The provider did not answer in time' : 'The connection to the provider broke');
  }
  const text = await boundedText(response).catch(() => undefined);
  const isRejected = response.status >= 400 && response.status < 500;
  if (text === undefined && !isRejected) return lost('The answer of the provider broke off, or is too long');
  return { kind: 'answer', answer: answerOf(response, text ?? '') };
}

function answerOf({ status, headers }: TrackerResponse, text: string): Answer {
  return { status, header: (name) => headers.get(name), text, json: parsed(text) };
}

interface CodedError {
  code?: unknown;
  message: string;
  cause?: unknown;
  errors?: unknown;
}

/** Finds an error among the causes of a failure, also among those of several attempts to connect. */
function findCause(error: unknown, matches: (error: CodedError) => boolean): CodedError | undefined {
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
  const coded = error as CodedError;
  if (matches(coded)) return coded;
  const causes = Array.isArray(coded.errors) ? coded.errors : [coded.cause];
  return causes.map((cause) => findCause(cause, matches)).find((found) => found !== undefined);
}

async function boundedText({ body }: TrackerResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new RangeError(`The answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
