import { AppError } from './app-error.ts';

const MAX_ERROR_LENGTH = 300;

/** Describes an error for readers outside the log: only the message of an AppError is written for others. */
export function describeError(error: unknown): string {
  return errorText(error).slice(0, MAX_ERROR_LENGTH);
}

function errorText(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  if (!(error instanceof Error)) return 'Unknown error';
  const code = 'code' in error && ['string', 'number'].includes(typeof error.code) ? ` ${String(error.code)}` : '';
  return `${error.name}${code}`;
}
