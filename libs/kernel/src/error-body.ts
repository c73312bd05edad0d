import { STATUS_CODES } from 'node:http';
import { AppError, type ErrorDetail, type QuotaRefusal } from './app-error.ts';

/** Error body of the API, the only one (design, section 3). */
export interface ErrorBody {
  /** Reason phrase of the status, `Bad Request` for 400. */
  error: string;
  message: string;
  code?: string;
  details?: readonly ErrorDetail[];
  quota?: QuotaRefusal;
  requestId: string;
}

/** Converts any thrown value to an AppError; a value without meaning for the caller becomes a bare INTERNAL_ERROR. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('INTERNAL_ERROR', 'Something went wrong. Quote the requestId when you report it.', {
    cause: error,
  });
}

export function errorBody(error: AppError, requestId: string): ErrorBody {
  return {
    error: STATUS_CODES[error.status] ?? 'Error',
    message: error.message,
    code: error.code,
    ...(error.details === undefined ? {} : { details: error.details }),
    ...(error.quota === undefined ? {} : { quota: error.quota }),
    requestId,
  };
}
