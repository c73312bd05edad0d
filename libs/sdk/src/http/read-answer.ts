import { apiError, ClewError, ConnectionError, type ApiError, type ErrorDetail, type QuotaRefusal } from '../errors.ts';

/** Size up to which the body of an error is read. */
const MAX_ERROR_BYTES = 1_048_576;

/** Reads a whole body, up to a size. */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      throw new ClewError(`The answer is larger than ${maxBytes} bytes (maxResponseBytes)`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Reads a JSON body; undefined where there is none. */
export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const text = await readText(response, maxBytes);
  if (text === '') return undefined;
  const value = parsed(text);
  if (value === undefined) throw new ConnectionError(`The answer of status ${response.status} is not JSON`);
  return value;
}

/** Error body of the API, or that of its inference routes, or something else. */
interface AnyErrorBody {
  error?: string | { message?: string; code?: string | null; quota?: QuotaRefusal };
  message?: string;
  code?: string;
  details?: ErrorDetail[];
  quota?: QuotaRefusal;
  requestId?: string;
}

/** Reads the error that an answer stands for. */
export async function readError(response: Response, what: string): Promise<ApiError> {
  const { status, headers } = response;
  const body = (parsed(await readText(response, MAX_ERROR_BYTES).catch(() => '')) ?? {}) as AnyErrorBody;
  const nested = typeof body.error === 'object' ? body.error : undefined;
  const code = (body.code ?? nested?.code ?? 'UNKNOWN').toUpperCase();
  const message = body.message ?? nested?.message ?? (typeof body.error === 'string' ? body.error : 'no explanation');
  return apiError(`${what}: ${status} ${code}: ${message}`, {
    ...{ status, code, details: body.details, quota: body.quota ?? nested?.quota },
    requestId: body.requestId ?? headers.get('x-service-request-id') ?? undefined,
    retryAfterMs: retryAfterOf(headers.get('retry-after')),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the milliseconds that `Retry-After` asks for: seconds, or a date (RFC 9110, section 10.2.3). */
export function retryAfterOf(header: string | null, nowMs = Date.now()): number | undefined {
  if (header === null || header === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
