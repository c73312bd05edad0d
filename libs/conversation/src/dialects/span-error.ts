import type { SpanRecord } from '@clew/contracts';
import type { ReadError } from './span-reading.ts';
import { wellFormed, type JsonRecord } from './values.ts';

const STATUS_OK = 1;
const STATUS_ERROR = 2;
const MAX_ERROR_TEXT = 4_000;

/**
 * Reads how a span failed; undefined if it did not: its status, `error.type`, an exception event (unless the status
 * reports success), or Langfuse's level.
 */
export function readError(span: SpanRecord): ReadError | undefined {
  const { attributes } = span;
  const exception = span.events.findLast((event) => event.name === 'exception')?.attributes;
  const isFailed =
    span.statusCode === STATUS_ERROR ||
    isText(attributes['error.type']) ||
    attributes['langfuse.observation.level'] === 'ERROR' ||
    (exception !== undefined && span.statusCode !== STATUS_OK);
  if (!isFailed) return undefined;
  const type = className(firstText([attributes['error.type'], exception?.['exception.type']]) ?? 'error');
  const message = firstText([span.statusMessage, exception?.['exception.message'], ...messagesOf(attributes)]) ?? '';
  return { type: wellFormed(type.slice(0, MAX_ERROR_TEXT)), message: wellFormed(message.slice(0, MAX_ERROR_TEXT)) };
}

/** Extracts the class name that some instrumentations print like Python does: `<class 'openai.BadRequestError'>`. */
function className(type: string): string {
  return /^<class '([^']+)'>$/.exec(type)?.[1] ?? type;
}

function messagesOf(attributes: JsonRecord): unknown[] {
  return [
    attributes['langfuse.observation.status_message'],
    attributes['error.message'],
    attributes['exception.message'],
  ];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function firstText(values: readonly unknown[]): string | undefined {
  return values.find(isText);
}
