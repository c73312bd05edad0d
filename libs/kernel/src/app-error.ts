import { ERROR_STATUS, type ErrorCode, type ErrorStatus } from './error-codes.ts';

/** Problem with one part of a request: the path of the field (`body.payload.input`) and the description. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** Quota of a project that refused a request. */
export interface QuotaRefusal {
  /** Name of the quota, as in the quotas of the project. */
  quota: string;
  limit: number;
  used: number;
  /** When it opens again, in Unix epoch milliseconds; null if that takes a removal of data. */
  opensAtMs: number | null;
}

export interface AppErrorOptions {
  /** One entry per failed field. */
  details?: readonly ErrorDetail[];
  /** Quota that refused the request, for QUOTA_EXCEEDED. */
  quota?: QuotaRefusal;
  /** Response headers that belong to the error, for instance `Retry-After`. */
  headers?: Readonly<Record<string, string>>;
  /** The underlying error: logged, never sent to the caller. */
  cause?: unknown;
}

/**
 * Error with a meaning for the caller. `message` is written for the caller and must contain nothing internal; `cause`
 * is for the log. The HTTP layer maps the error to a response in one place.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly quota: QuotaRefusal | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.quota = options.quota;
    this.headers = options.headers;
  }

  get status(): ErrorStatus {
    return ERROR_STATUS[this.code];
  }
}

/** Error for a request to an existing path with an unsupported method. */
export function methodNotAllowed(methods: readonly string[]): AppError {
  const allow = (methods.includes('GET') ? [...methods, 'HEAD'] : methods).join(', ');
  return new AppError('METHOD_NOT_ALLOWED', `The methods here are ${allow}`, { headers: { allow } });
}

/** Error for a missing thing, and equally for another project's thing, so that existence does not leak. */
export function notFound(code: ErrorCode = 'NOT_FOUND', message = 'Not found'): AppError {
  return new AppError(code, message);
}
