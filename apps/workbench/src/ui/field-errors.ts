import { ApiError } from '@clew/sdk';

/**
 * Messages of a refused request by the field that they are about (`name`, `configuration.threshold`), as the `details`
 * of the answer name it. Empty where the error is about no field.
 */
export function fieldErrors(error: Error | null): ReadonlyMap<string, string> {
  if (!(error instanceof ApiError)) return new Map();
  const { details } = error;
  return new Map(details.map(({ path, message }) => [path.replace(/^body\./, ''), message] as const));
}

/** Messages that none of these fields shows: those of other fields, and that of an error about no field. */
export function unplacedMessages(error: Error, fields: readonly string[]): string[] {
  const byField = [...fieldErrors(error)];
  if (byField.length === 0) return [error.message];
  return byField.filter(([name]) => !fields.includes(name)).map(([name, message]) => `${name}: ${message}`);
}
