import type { Diagnosis } from '@clew/contracts';

/** Identity of a diagnosis: its snapshot, and the number of Rules behind it. */
export interface DiagnosisHead {
  snapshotId: string;
  /** Revision of the snapshot, which is one of the whole conversation. */
  revision: number;
  /** Number of evaluated Rules; their findings tell in which steps the trouble began. */
  ruleCount: number;
}

/** Stored diagnosis of a conversation, of its latest snapshot. */
export interface StoredDiagnosis extends DiagnosisHead, Diagnosis {}

/**
 * Whether a diagnosis is a new one. One that was read only for comparison has no suspects, and stays as it is stored.
 */
export function isNewDiagnosis(diagnosis: DiagnosisHead | StoredDiagnosis): diagnosis is StoredDiagnosis {
  return 'suspects' in diagnosis;
}

/** Diagnosis that holds: that of the later snapshot or, for the same snapshot, the one from more Rules. */
export function laterDiagnosis(
  known: DiagnosisHead | undefined,
  next: StoredDiagnosis | undefined,
): DiagnosisHead | StoredDiagnosis | undefined {
  if (known === undefined || next === undefined) return next ?? known;
  if (next.revision !== known.revision) return next.revision > known.revision ? next : known;
  return next.ruleCount > known.ruleCount ? next : known;
}
