import type { ConversationSnapshot, Detection, Diagnosis } from '@clew/contracts';
import { offeredIn } from './conversation/situation.ts';
import { evaluateBuiltInRule, type RuleSettings } from './evaluate-built-in-rule.ts';
import { expiredThrough, isWordless, TEXT_EXPIRED } from './expired-words.ts';
import { diagnose } from './judgement/diagnose.ts';
import { successOf, type Success } from './judgement/success.ts';
import type { RuleDefinition } from './rule.ts';

/** Outcome of a Rule's run on a snapshot; `error` is only for the log. */
export type RuleOutcome =
  | { status: 'succeeded'; detections: Detection[] }
  | { status: 'skipped'; reason: string }
  | { status: 'failed'; reason: string; error: unknown };

/** Runs a Rule with a project's settings. Never throws: a failure is reported for that Rule alone. */
export function runRule(rule: RuleDefinition, snapshot: ConversationSnapshot, settings: RuleSettings): RuleOutcome {
  if (rule.readsWords !== false && isWordless(snapshot)) return { status: 'skipped', reason: TEXT_EXPIRED };
  try {
    return { status: 'succeeded', detections: evaluateBuiltInRule(rule, snapshot, settings) };
  } catch (error) {
    return { status: 'failed', reason: 'The rule could not be evaluated', error };
  }
}

/** Conclusion about a snapshot, given the Detections of the Rules. */
export interface ConcludedSnapshot {
  /** Only for whole conversations with text; the result for a part says nothing about the whole. */
  diagnosis?: Diagnosis;
  /** Success that a whole conversation shows, or why it shows none. */
  success?: Success;
  detections: Detection[];
  /** Reason why nothing could be concluded, for the log; the Detections count anyway. */
  error?: unknown;
}

/** Draws the conclusion from the Detections in a snapshot. Never throws. */
export function conclude(snapshot: ConversationSnapshot, found: Detection[]): ConcludedSnapshot {
  try {
    const { detections, ...diagnosis } = diagnose(snapshot, found);
    const isWhole = snapshot.scope === 'conversation' && !isWordless(snapshot);
    return isWhole ? { diagnosis, detections, success: successOf(snapshot) } : { detections };
  } catch (error) {
    return { detections: found, error };
  }
}

/** Returns the fields of the evaluated snapshot that its results contain. */
export function evaluatedSnapshotOf(snapshot: ConversationSnapshot) {
  const { revision, scope, startedAt, throughMs } = snapshot;
  const through = expiredThrough(snapshot);
  const offered = offeredIn(snapshot);
  return {
    ...{ revision, scope, startedAt, throughMs, offered },
    ...(through === undefined ? {} : { expiredThrough: through }),
  };
}
