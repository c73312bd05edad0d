import type { CollectedExample, RefusalReason, SuccessSignalKind, Synthesis } from '@clew/contracts';
import type { SuccessSignal } from '@clew/rules';

/** Example that may be stored. */
export interface Collected {
  readonly status: 'collected';
  readonly examples: [CollectedExample];
  /** Personal data and secrets that were replaced. */
  readonly redacted: number;
}

/** Nothing is collected, for a reason. */
export interface Refused {
  readonly status: 'refused';
  readonly reason: RefusalReason;
}

/** Decision on a conversation of which no model is asked. */
export type Decision = (Collected & { readonly because: SuccessSignalKind }) | Refused;

/** Result of a look: an Example, a response that a model is to write, or the reason why there is neither. */
export type Look = Decision | (Synthesis & { readonly status: 'to_synthesize' }) | Refused;

export interface CollectOptions {
  datasetId: string;
  redaction: boolean;
  /** Sign of success, where the analysis of the conversation has found it already. */
  signal?: SuccessSignal | undefined;
}

export function refused(reason: RefusalReason): Refused {
  return { status: 'refused', reason };
}
