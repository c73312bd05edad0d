import { z } from 'zod';
import { hasControlCharacter, idPattern } from '@clew/kernel';

/** Unix epoch milliseconds. The upper bound is the largest time that a JavaScript Date can hold. */
export const EpochMs = z.int().min(0).max(8_640_000_000_000_000).meta({ description: 'Unix epoch milliseconds' });

/** The same from a query string, where every value is text. */
export const EpochMsQuery = z
  .string()
  .regex(/^\d{1,16}$/, 'must be an integer in Unix epoch milliseconds')
  .transform(Number)
  .pipe(EpochMs);

export const ProjectId = z.string().regex(idPattern('prj'), 'must be a project id');

/** 16 bytes in lower-case hex (W3C trace context). */
export const TraceId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hex digits');
/** 8 bytes in lower-case hex (W3C trace context). */
export const SpanId = z.string().regex(/^[0-9a-f]{16}$/, 'must be 16 lower-case hex digits');

/** The name that the observed application gave its conversation, or a trace id where it gave none. */
export const ConversationId = z
  .string()
  .min(1)
  .max(512)
  .refine((value) => !hasControlCharacter(value), 'must not hold control characters');

const CONTROL_CHARACTER = /\p{Cc}/u;
/** Line breaks and tabs aside. */
const UNSEEN_CHARACTER = /[^\P{Cc}\t\n\r]/u;

/** What people call something: one line of text. */
export const Name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine(
    (name) => name.isWellFormed() && !CONTROL_CHARACTER.test(name),
    'must be well-formed text without control characters',
  );

/** What people write, in several lines where they like, kept as it came. */
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

/** What every list query has: a `limit` in range, never clamped, and the `cursor` of a page before. */
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
