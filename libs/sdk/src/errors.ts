/** Superclass of every error that the SDK throws. No message holds a key. */
export class ClewError extends Error {
  override readonly name: string = 'ClewError';
}

/** Failure of the connection: no answer arrived, or it was cut. Whether the request took effect is not known. */
export class ConnectionError extends ClewError {
  override readonly name = 'ConnectionError';
}

/** End of the time that a call or one attempt of it may take. */
export class TimeoutError extends ClewError {
  override readonly name = 'TimeoutError';
}

/** Field of a request that is wrong. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** Quota of a project that refused a request. */
export interface QuotaRefusal {
  quota: string;
  limit: number;
  used: number;
  /** Time at which it opens, in milliseconds since 1970; null if data has to be removed first. */
  opensAtMs: number | null;
}

export interface ApiErrorFields<Code extends string> {
  status: number;
  code: Code;
  details?: readonly ErrorDetail[] | undefined;
  quota?: QuotaRefusal | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
}

/** Error that the API answered (specification, common error body). */
export class ApiError<Code extends string = string> extends ClewError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** Name of the error, `FINDING_NOT_FOUND`; `UNKNOWN` if something in between answered. */
  readonly code: Code;
  readonly details: readonly ErrorDetail[];
  readonly quota: QuotaRefusal | undefined;
  /** Id to quote when the error is reported. */
  readonly requestId: string | undefined;
  /** Time after which the same request may succeed. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { status, code, details = [], quota, requestId, retryAfterMs }: ApiErrorFields<Code>) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.quota = quota;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Request that is malformed or not valid: 400, 405, 408, 413, 415, 422; `details` names each field that is wrong. */
export class BadRequestError<Code extends string = string> extends ApiError<Code> {
  override readonly name = 'BadRequestError';
}

/** Key or session that is missing, unknown, expired or revoked: 401. */
export class UnauthenticatedError<Code extends string = string> extends ApiError<Code> {
  override readonly name = 'UnauthenticatedError';
}

/** Key or person that may not do this: 403. */
export class ForbiddenError<Code extends string = string> extends ApiError<Code> {
  override readonly name = 'ForbiddenError';

  /** Scopes or permissions of which one is needed, as far as the answer names them. */
  get missing(): string[] {
    return this.details.map(({ message }) => message);
  }
}

export class NotFoundError<Code extends string = string> extends ApiError<Code> {
  override readonly name = 'NotFoundError';
}

/** State that does not allow this: 409. */
export class ConflictError<Code extends string = string> extends ApiError<Code> {
  override readonly name = 'ConflictError';
}

/** Thing that has changed since the version that `ifMatch` names: 412. */
export class PreconditionFailedError<Code extends string = string> extends ApiError<Code> {
  override readonly name = 'PreconditionFailedError';
}

/** Rate limit or quota that is used up: 429. */
export class RateLimitedError<Code extends string = string> extends ApiError<Code> {
  override readonly name = 'RateLimitedError';
}

/** Part of the API that is away or has too much to do: 500, 502, 503, 504. */
export class UnavailableError<Code extends string = string> extends ApiError<Code> {
  override readonly name = 'UnavailableError';
}

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  401: UnauthenticatedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  429: RateLimitedError,
};

/** Makes the error of the class that belongs to its status. */
export function apiError(message: string, fields: ApiErrorFields<string>): ApiError {
  const { status } = fields;
  const Class = CLASSES[status] ?? (status >= 500 ? UnavailableError : BadRequestError);
  return new Class(message, fields);
}
