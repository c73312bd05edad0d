import type { z } from 'zod';
import { AppError, type ErrorCode, type ErrorDetail } from '@clew/kernel';

/** Parses one part of a request; `details` names every failed field. */
export function parsePart<Schema extends z.ZodType>(
  part: 'params' | 'query' | 'body' | 'headers',
  schema: Schema,
  value: unknown,
  { code = 'VALIDATION_FAILED', verbatim = [] }: { code?: ErrorCode; verbatim?: readonly string[] } = {},
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(code, detailsOf(part, result.error), verbatim);
}

/** Creates the error for invalid fields. A message among `verbatim` becomes the error's own message, unchanged. */
export function invalid(code: ErrorCode, details: readonly ErrorDetail[], verbatim: readonly string[] = []): AppError {
  const given = details.find(({ message }) => verbatim.includes(message));
  return new AppError(code, given?.message ?? messageOf(details), { details: details.slice(0, MAX_DETAILS) });
}

const MAX_DETAILS = 100;

function detailsOf(part: string, error: z.ZodError): ErrorDetail[] {
  return error.issues.map((issue) => ({ path: [part, ...issue.path.map(String)].join('.'), message: issue.message }));
}

function messageOf(details: readonly ErrorDetail[]): string {
  const [first] = details;
  if (first === undefined) return 'The request is not valid';
  return details.length === 1 ? `${first.path}: ${first.message}` : `${details.length} fields are not valid`;
}
