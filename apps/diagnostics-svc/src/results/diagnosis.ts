import type { Diagnosis } from '@clew/contracts';

/** Which snapshot a diagnosis is of, and how much is known in it. */
export interface DiagnosisHead {
  snapshotId: string;
  /** Of the snapshot, which was one of the whole conversation. */
  revision: number;
  /** How many Rules were evaluated: what they find tells of the steps that began it. */
  ruleCount: number;
}

/** What is kept of a conversation: one diagnosis, of its latest snapshot. */
export interface StoredDiagnosis extends DiagnosisHead, Diagnosis {}

/** Without what was read to compare them, which has no suspects, and stays as it is. */
export function isNewDiagnosis(diagnosis: DiagnosisHead | StoredDiagnosis): diagnosis is StoredDiagnosis {
  return 'suspects' in diagnosis;
}

/** The diagnosis that holds: a later snapshot's; of the same snapshot the one that more Rules were evaluated for. */
export function laterDiagnosis(
  known: DiagnosisHead | undefined,
  next: StoredDiagnosis | undefined,
): DiagnosisHead | StoredDiagnosis | undefined {
  if (known === undefined || next === undefined) return next ?? known;
  if (next.revision !== known.revision) return next.revision > known.revision ? next : known;
  return next.ruleCount > known.ruleCount ? next : known;
}
