/** Keys that accompany an error in a result that is nothing but an error. */
const ENVELOPE_KEYS = new Set(
  (
    'error errors message msg detail details reason title type code status statuscode status_code http_status path ' +
    'timestamp request_id requestid trace_id instance success ok description exception traceback iserror data result body'
  ).split(' '),
);
const MESSAGE_KEYS = [
  'message',
  'msg',
  'detail',
  'error_description',
  'description',
  'reason',
  'title',
  'error',
  'code',
];

const MAX_DEPTH = 4;

/** Error that a tool's JSON result describes; undefined if the result is an ordinary one. */
export interface EnvelopeError {
  /** Message of the error; empty if it has none. */
  readonly text: string;
  readonly statusCode: number | undefined;
}

/**
 * Finds an error in the JSON result of a tool. Data about failures is no failure: a payment whose `status` is `failed`,
 * or a probe whose `status_code` is 503, counts only if all other fields are error fields too.
 */
export function envelopeErrorOf(value: unknown): EnvelopeError | undefined {
  if (!isObject(value)) return undefined;
  const statusCode = errorStatus(value);
  const text = messageOf(value.error ?? value.errors ?? value.exception) || messageOf(value);
  if (isFilled(value.error) || isFilled(value.errors) || isFilled(value.exception) || isFilled(value.traceback)) {
    return { text, statusCode };
  }
  if (value.isError === true || value.success === false || value.ok === false) return { text, statusCode };
  if (!Object.keys(value).every((key) => ENVELOPE_KEYS.has(key.toLowerCase()))) return undefined;
  const saysFailed = typeof value.status === 'string' && /^(?:error|failed|failure)$/i.test(value.status);
  return saysFailed || statusCode !== undefined ? { text: messageOf(value), statusCode } : undefined;
}

/** Extracts the text from the content parts in which some tool protocols wrap a result. */
export function unwrapContent(value: unknown): unknown {
  const parts = Array.isArray(value)
    ? value
    : isObject(value) && Array.isArray(value.content)
      ? value.content
      : undefined;
  if (parts === undefined || parts.length === 0 || (isObject(value) && value.isError === true)) return value;
  const texts = parts.map((part: unknown) => (isObject(part) && typeof part.text === 'string' ? part.text : undefined));
  return texts.every((text) => text !== undefined) ? texts.join('\n') : value;
}

function errorStatus(value: Readonly<Record<string, unknown>>): number | undefined {
  const error = isObject(value.error) ? value.error : {};
  const candidates = [value.status, value.statusCode, value.status_code, value.code, error.code, error.status];
  return candidates.map(Number).find((status) => Number.isInteger(status) && status >= 400 && status < 600);
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '' && !/^(?:none|null|false|no)$/i.test(value.trim());
  if (Array.isArray(value)) return value.length > 0;
  return value === true || (isObject(value) && Object.keys(value).length > 0);
}

function messageOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return messageOf(value[0], depth + 1);
  if (!isObject(value) || depth > MAX_DEPTH) return '';
  for (const key of MESSAGE_KEYS) {
    const text = messageOf(value[key], depth + 1);
    if (text !== '') return text;
  }
  return '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
