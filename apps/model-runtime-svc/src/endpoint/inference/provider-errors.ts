import { z } from 'zod';
import { ProviderAnswerError, type OpenAiError } from '@clew/http';
import { AppError, type ErrorCode, readJson } from '@clew/kernel';
import { refusalIn } from '@clew/outbound';

const ErrorAnswer = z.looseObject({
  error: z.union([
    z.string(),
    z.looseObject({
      message: z.string(),
      type: z.string().nullish().catch(null),
      param: z.string().nullish().catch(null),
      code: z.union([z.string(), z.number()]).nullish().catch(null),
    }),
  ]),
});

const MAX_MESSAGE_LENGTH = 2_000;

/**
 * Maps a provider's refusal to an error for the caller. The provider's message is passed on, unless it concerns its
 * key.
 */
export function errorOfAnswer(status: number, bodyText: string, retryAfter: string | undefined): AppError {
  if (status === 401 || status === 403) {
    // The provider's message may contain a part of the key.
    return new AppError('PROVIDER_CREDENTIALS_REFUSED', `The provider refuses its API key (${status})`);
  }
  const code = codeOfStatus(status);
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  const said = errorIn(bodyText);
  if (said === undefined) return new AppError(code, `The provider answered ${status}`, { headers });
  return new ProviderAnswerError(code, said, headers);
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 404) return 'MODEL_NOT_FOUND';
  if (status === 413) return 'PAYLOAD_TOO_LARGE';
  if (status === 429) return 'PROVIDER_RATE_LIMITED';
  if (status === 503 || status === 529) return 'PROVIDER_UNAVAILABLE';
  if (status === 504 || status === 408) return 'PROVIDER_TIMEOUT';
  // A redirect is not followed: the body of a call must not be sent to an address that nobody has configured.
  return status >= 400 && status < 500 ? 'PROVIDER_REFUSED' : 'PROVIDER_FAILED';
}

function errorIn(bodyText: string): OpenAiError | undefined {
  let parsed: unknown;
  try {
    parsed = readJson(bodyText);
  } catch {
    return undefined;
  }
  const { error } = ErrorAnswer.safeParse(parsed).data ?? {};
  if (error === undefined) return undefined;
  if (typeof error === 'string') {
    return { message: error.slice(0, MAX_MESSAGE_LENGTH), type: 'provider_error', param: null, code: null };
  }
  return {
    message: error.message.slice(0, MAX_MESSAGE_LENGTH),
    type: error.type ?? 'provider_error',
    param: error.param ?? null,
    code: error.code == null ? null : String(error.code),
  };
}

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Maps the failure to reach a provider, or to read its whole answer, to an error for the caller. */
export function errorOfFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const refusal = refusalIn(error);
  if (refusal !== undefined) return new AppError('OUTBOUND_REFUSED', refusal.message, { cause: error });
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'string' && TIMEOUT_CODES.has(code)) {
    return new AppError('PROVIDER_TIMEOUT', 'The provider did not answer in time', { cause: error });
  }
  return new AppError('PROVIDER_UNAVAILABLE', 'The provider cannot be reached', { cause: error });
}
