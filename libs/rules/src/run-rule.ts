import type { ConversationSnapshot, Detection, Diagnosis } from '@clew/contracts';
import { evaluateBuiltInRule, type RuleSettings } from './evaluate-built-in-rule.ts';
import { expiredThrough, isWordless, TEXT_EXPIRED } from './expired-words.ts';
import { diagnose } from './judgement/diagnose.ts';
import type { RuleDefinition } from './rule.ts';

/** How the run of a Rule on a snapshot ended; `error` is for the log alone. */
export type RuleOutcome =
  | { status: 'succeeded'; detections: Detection[] }
  | { status: 'skipped'; reason: string }
  | { status: 'failed'; reason: string; error: unknown };

/** Runs a Rule as a project has set it. Never throws: what one does wrong is told of that one alone. */
export function runRule(rule: RuleDefinition, snapshot: ConversationSnapshot, settings: RuleSettings): RuleOutcome {
  if (rule.readsWords !== false && isWordless(snapshot)) return { status: 'skipped', reason: TEXT_EXPIRED };
  try {
    return { status: 'succeeded', detections: evaluateBuiltInRule(rule, snapshot, settings) };
  } catch (error) {
    return { status: 'failed', reason: 'The rule could not be evaluated', error };
  }
}

/** What a snapshot comes to, given what the Rules found. */
export interface ConcludedSnapshot {
  /** Of whole conversations: what a part of one, or one without words, comes to says nothing of the whole. */
  diagnosis?: Diagnosis;
  detections: Detection[];
  /** Why nothing could be concluded, for the log: what the Rules found counts all the same. */
  error?: unknown;
}

/** Concludes from what Rules found in a snapshot. Never throws. */
export function conclude(snapshot: ConversationSnapshot, found: Detection[]): ConcludedSnapshot {
  try {
    const { score, suspects, detections } = diagnose(snapshot, found);
    const isWhole = snapshot.scope === 'conversation' && !isWordless(snapshot);
    return isWhole ? { diagnosis: { score, suspects }, detections } : { detections };
  } catch (error) {
    return { detections: found, error };
  }
}

/** What results tell of the snapshot that they are about. */
export function evaluatedSnapshotOf(snapshot: ConversationSnapshot) {
  const { revision, scope, startedAt, throughMs } = snapshot;
  const through = expiredThrough(snapshot);
  return { revision, scope, startedAt, throughMs, ...(through === undefined ? {} : { expiredThrough: through }) };
}
