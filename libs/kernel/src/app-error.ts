import { ERROR_STATUS, type ErrorCode, type ErrorStatus } from './error-codes.ts';

/** One thing wrong with a request: the path of the field (`body.payload.input`) and what is wrong with it. */
export interface ErrorDetail {
  path: string;
  message: string;
}

export interface AppErrorOptions {
  /** One entry per failed field. */
  details?: readonly ErrorDetail[];
  /** Response headers that belong to the error, for instance `Retry-After`. */
  headers?: Readonly<Record<string, string>>;
  /** The underlying error: logged, never sent to the caller. */
  cause?: unknown;
}

/**
 * An error with a meaning. `message` is written for the caller and must hold nothing internal; `cause` is for the log.
 * The HTTP layer maps it to a response once, in one place.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.headers = options.headers;
  }

  get status(): ErrorStatus {
    return ERROR_STATUS[this.code];
  }
}

/** A path that is served, asked with a method that is not. */
export function methodNotAllowed(methods: readonly string[]): AppError {
  const allow = (methods.includes('GET') ? [...methods, 'HEAD'] : methods).join(', ');
  return new AppError('METHOD_NOT_ALLOWED', `The methods here are ${allow}`, { headers: { allow } });
}

/** A missing thing, and another project's thing: the same answer, so that existence does not leak. */
export function notFound(code: ErrorCode = 'NOT_FOUND', message = 'Not found'): AppError {
  return new AppError(code, message);
}
