import type { InferenceError } from '@clew/inference';

/** Report of a model failure to the owner of the command, who decides when to ask again. */
export type ModelFailure =
  | { status: 'failed'; reason: string }
  | {
      status: 'later';
      reason: string;
      retryAfterMs: number | null;
      isBudget: boolean;
      isTimeout?: boolean;
      isUntried?: boolean;
    };

export function modelFailureOf({ remedy, code, retryAfterMs, isTimeout }: InferenceError): ModelFailure {
  // An error message of a provider may quote the request, so the log and the owner get only the code and our own words.
  const reason = code === 'INVALID_ANSWER' ? 'The model gave no valid answer' : `The call of the model failed: ${code}`;
  if (remedy === 'never') return { status: 'failed', reason };
  const waitMs = retryAfterMs === undefined ? null : Math.ceil(retryAfterMs);
  return {
    ...{ status: 'later', reason, retryAfterMs: waitMs, isBudget: remedy === 'budget' },
    ...(isTimeout ? { isTimeout } : {}),
  };
}
