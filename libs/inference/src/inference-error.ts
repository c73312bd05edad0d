import { ERROR_STATUS, retryAfterMs } from '@clew/kernel';

/** Reason why a call to a model gave no result. */
export type InferenceErrorCode =
  /** No such model, or none that is suitable; somebody must change the configuration. */
  | 'MODEL_UNAVAILABLE'
  /** The project allows the system no more tokens today. */
  | 'BUDGET_EXHAUSTED'
  /** The job has used its token budget. */
  | 'JOB_BUDGET_EXHAUSTED'
  /** The model did not give a valid answer, not even on a second attempt. */
  | 'INVALID_ANSWER'
  /** The provider rejects the request as it is. */
  | 'REFUSED'
  /** A later attempt may succeed. */
  | 'UNAVAILABLE';

/**
 * Remedy for the job of a failed call: try again `later`, wait until there is `budget` again, or `never` try the same
 * again.
 */
export type Remedy = 'later' | 'budget' | 'never';

const REMEDY_OF: Readonly<Record<InferenceErrorCode, Remedy>> = {
  UNAVAILABLE: 'later',
  BUDGET_EXHAUSTED: 'budget',
  // A job that has used its tokens gets no more.
  JOB_BUDGET_EXHAUSTED: 'never',
  MODEL_UNAVAILABLE: 'never',
  INVALID_ANSWER: 'never',
  REFUSED: 'never',
};

export interface InferenceErrorOptions {
  retryAfterMs?: number | undefined;
  isTimeout?: boolean;
  cause?: unknown;
}

export class InferenceError extends Error {
  readonly code: InferenceErrorCode;
  /** Time after which another attempt makes sense, if known. */
  readonly retryAfterMs: number | undefined;
  /** True if no answer came in time: the provider may be slow, or hang. */
  readonly isTimeout: boolean;

  constructor(code: InferenceErrorCode, message: string, options: InferenceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'InferenceError';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.isTimeout = options.isTimeout ?? false;
  }

  /** Remedy for the job. */
  get remedy(): Remedy {
    return REMEDY_OF[this.code];
  }
}

const CODE_OF_ERROR: Readonly<Record<string, InferenceErrorCode>> = {
  model_not_found: 'MODEL_UNAVAILABLE',
  model_unavailable: 'MODEL_UNAVAILABLE',
  service_not_running: 'MODEL_UNAVAILABLE',
  provider_credentials_refused: 'MODEL_UNAVAILABLE',
  token_budget_exhausted: 'BUDGET_EXHAUSTED',
};

/** Converts an error answer in the OpenAI form. */
export function errorOfAnswer(status: number, body: unknown, retryAfter: string | null): InferenceError {
  const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown } };
  const said = typeof error?.message === 'string' ? error.message : `The endpoint answered ${status}`;
  const options = {
    retryAfterMs: retryAfterMs(retryAfter, Date.now()),
    isTimeout: status === ERROR_STATUS.PROVIDER_TIMEOUT,
  };
  const known = typeof error?.code === 'string' ? CODE_OF_ERROR[error.code] : undefined;
  if (known !== undefined) return new InferenceError(known, said, options);
  if (status === 404) return new InferenceError('MODEL_UNAVAILABLE', said, options);
  return new InferenceError(status === 429 || status >= 500 ? 'UNAVAILABLE' : 'REFUSED', said, options);
}
