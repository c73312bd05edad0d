import { z } from 'zod';
import { hasControlCharacter, idPattern } from '@clew/kernel';

/** Unix epoch milliseconds. The maximum is the largest time that a JavaScript Date can represent. */
export const EpochMs = z
  .int()
  .min(0)
  .max(8_640_000_000_000_000)
  .meta({ description: 'Unix epoch milliseconds', example: 1_769_850_000_000 });

/** Unix epoch milliseconds from a query string, where every value is text. */
export const EpochMsQuery = z
  .string()
  .regex(/^\d{1,16}$/, 'must be an integer in Unix epoch milliseconds')
  .transform(Number)
  .pipe(EpochMs);

export const ProjectId = z.string().regex(idPattern('prj'), 'must be a project id');

/** 16 bytes in lower-case hex (W3C trace context). */
export const TraceId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hex digits')
  .meta({ example: '4bf92f3577b34da6a3ce929d0e0e4736' });
/** 8 bytes in lower-case hex (W3C trace context). */
export const SpanId = z
  .string()
  .regex(/^[0-9a-f]{16}$/, 'must be 16 lower-case hex digits')
  .meta({ example: '00f067aa0ba902b7' });

/** Name that the observed application gave its conversation, or a trace id if it gave none. */
export const ConversationId = z
  .string()
  .min(1)
  .max(512)
  .refine((value) => !hasControlCharacter(value), 'must not hold control characters')
  .meta({ example: 'support-2041' });

const CONTROL_CHARACTER = /\p{Cc}/u;
/** Control characters except line breaks and tabs. */
const UNSEEN_CHARACTER = /[^\P{Cc}\t\n\r]/u;

/** Name given by a person: one line of text. Surrounding spaces count toward the maximum, then they are trimmed. */
export const Name = z
  .string()
  .max(200)
  .trim()
  .min(1)
  .refine(
    (name) => name.isWellFormed() && !CONTROL_CHARACTER.test(name),
    'must be well-formed text without control characters',
  );

/** Text written by a person, possibly of several lines, kept unchanged. */
export function textOf(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine(
      (text) => text.isWellFormed() && !UNSEEN_CHARACTER.test(text),
      'must be well-formed text without control characters but line breaks and tabs',
    );
}

export const ProjectParams = z.object({ projectId: ProjectId });

/** Common parameters of list queries: a `limit` in range, never clamped, and the `cursor` of the previous page. */
export function pageQuery(maxLimit: number, defaultLimit: number) {
  const limit = z
    .string()
    .regex(/^\d{1,6}$/, `must be an integer from 1 to ${maxLimit}`)
    .transform(Number)
    .pipe(z.int().min(1).max(maxLimit))
    .default(defaultLimit);
  return { limit, cursor: z.string().min(1).max(2048).optional() };
}

/** `true` or `false` in a query string. */
export const BooleanQuery = z.enum(['true', 'false']).transform((value) => value === 'true');

export const JsonObject = z.record(z.string(), z.unknown());
