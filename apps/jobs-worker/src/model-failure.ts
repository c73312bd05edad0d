import type { InferenceError } from '@clew/inference';

/** What the owner of a command is told of a model that failed, who decides when it is asked again. */
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
  // What a provider says may quote what it was sent: the log and the owner are told the code, and words of our own.
  const reason = code === 'INVALID_ANSWER' ? 'The model gave no valid answer' : `The call of the model failed: ${code}`;
  if (remedy === 'never') return { status: 'failed', reason };
  const waitMs = retryAfterMs === undefined ? null : Math.ceil(retryAfterMs);
  return {
    ...{ status: 'later', reason, retryAfterMs: waitMs, isBudget: remedy === 'budget' },
    ...(isTimeout ? { isTimeout } : {}),
  };
}
