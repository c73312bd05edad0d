import type { z } from 'zod';
import { AppError, type ErrorCode, type ErrorDetail } from '@clew/kernel';

/** Parses one part of a request; every failed field is named in `details`. */
export function parsePart<Schema extends z.ZodType>(
  part: 'params' | 'query' | 'body' | 'headers',
  schema: Schema,
  value: unknown,
  code: ErrorCode = 'VALIDATION_FAILED',
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(code, detailsOf(part, result.error));
}

/** The error for fields that are wrong. */
export function invalid(code: ErrorCode, details: readonly ErrorDetail[]): AppError {
  return new AppError(code, messageOf(details), { details });
}

const MAX_DETAILS = 100;

function detailsOf(part: string, error: z.ZodError): ErrorDetail[] {
  return error.issues
    .slice(0, MAX_DETAILS)
    .map((issue) => ({ path: [part, ...issue.path.map(String)].join('.'), message: issue.message }));
}

function messageOf(details: readonly ErrorDetail[]): string {
  const [first] = details;
  if (first === undefined) return 'The request is not valid';
  return details.length === 1 ? `${first.path}: ${first.message}` : `${details.length} fields are not valid`;
}
