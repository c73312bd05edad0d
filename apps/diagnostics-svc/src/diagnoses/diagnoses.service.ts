import { MAX_SYMPTOMS, SEVERITIES, type ConversationDiagnosis, type Severity, type Symptom } from '@clew/contracts';
import { notFound } from '@clew/kernel';
import { calibrated, type ScoreCalibration } from '@clew/rules';
import type { ScoreCalibrations } from '../calibration/index.ts';
import type { StoredFinding } from '../findings/finding.ts';
import type { FindingStore } from '../findings/findings.store.ts';
import type { StoredDiagnosis } from '../results/diagnosis.ts';
import type { Reviewer, ReviewRecordStore } from '../reviewer/index.ts';
import type { ReviewDocument } from '../reviewer/reviews.model.ts';
import type { DiagnosisStore, ShownOccurrence } from './diagnoses.store.ts';

export type DiagnosesService = ReturnType<typeof createDiagnosesService>;

export interface DiagnosesDependencies {
  diagnoses: DiagnosisStore;
  findings: Pick<FindingStore, 'rootsOf'>;
  reviews: Pick<ReviewRecordStore, 'of'>;
  reviewer: Pick<Reviewer, 'waitingOf'>;
  calibrations: Pick<ScoreCalibrations, 'of'>;
}

/** Reads the diagnosis of single conversations. */
export function createDiagnosesService(dependencies: DiagnosesDependencies) {
  const { diagnoses, findings, reviews, reviewer, calibrations } = dependencies;
  return {
    async get(projectId: string, conversationId: string): Promise<ConversationDiagnosis> {
      const [known, review, reviewWaiting, calibration] = await Promise.all([
        diagnoses.get(projectId, conversationId),
        reviews.of(projectId, conversationId),
        reviewer.waitingOf(projectId, { conversationId }),
        calibrations.of(projectId),
      ]);
      if (known === undefined) throw notFound('CONVERSATION_NOT_FOUND', 'The conversation has not been analysed');
      const { diagnosis, occurrences } = known;
      const gravest = occurrences.toSorted(byGravity).slice(0, MAX_SYMPTOMS);
      const findingIds = new Set(gravest.map(({ findingId }) => findingId));
      const roots = await findings.rootsOf(projectId, [...findingIds]);
      // Findings in the order of the symptoms; a merged one is replaced by the root that it counts for.
      const shown = new Set([...findingIds].flatMap((id) => roots.get(id) ?? []));
      return {
        conversationId,
        snapshotId: diagnosis?.snapshotId ?? null,
        ...scoreOf(diagnosis, review, calibration.line),
        symptoms: gravest.flatMap((each) => symptomOf(each, roots.get(each.findingId)?.id ?? each.findingId)),
        findings: [...shown].map(findingOf),
        ...(reviewWaiting && { reviewWaiting }),
      };
    },
  };
}

/**
 * Score with its source, and the suspects: those of the reviewer if it has read the latest snapshot, else those of the Rules. If some
 * message spoke to the reviewer, the higher of both: who talks to it cannot talk it out of a suspicion.
 */
export function scoreOf(
  diagnosis: Pick<StoredDiagnosis, 'score' | 'revision' | 'suspects'> | undefined,
  review: Pick<ReviewDocument, 'result' | 'reviewedAt'> | undefined,
  line: ScoreCalibration | null,
): Pick<ConversationDiagnosis, 'score' | 'scoreSource' | 'suspects'> {
  const { result, reviewedAt = 0 } = review ?? {};
  const ruleScore = diagnosis && (line === null ? diagnosis.score : calibrated(diagnosis.score, line));
  const ofRules = {
    score: ruleScore ?? null,
    scoreSource: diagnosis ? ({ kind: 'rules', recalibrated: line !== null } as const) : null,
    suspects: diagnosis?.suspects ?? [],
  };
  if (result === undefined || result.revision < (diagnosis?.revision ?? 0)) return ofRules;
  const { failureProbability, model, verdict, wanted, isTainted } = result;
  if (isTainted && (ruleScore ?? 0) > failureProbability) return ofRules;
  const suspects = result.suspects.length > 0 ? result.suspects : (diagnosis?.suspects ?? []);
  return { score: failureProbability, scoreSource: { kind: 'review', model, verdict, wanted, reviewedAt }, suspects };
}

function byGravity(left: ShownOccurrence, right: ShownOccurrence): number {
  const [one, other] = [left.detection, right.detection];
  return (
    gravity(one.severity) - gravity(other.severity) ||
    other.diagnosticScore - one.diagnosticScore ||
    (left._id < right._id ? -1 : 1)
  );
}

function gravity(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/** Symptom at the first evidence, where the problem shows; the anchor may be its cause instead. */
function symptomOf({ detection }: ShownOccurrence, findingId: string): Symptom[] {
  const { ruleKey, title, severity, diagnosticScore: score, signals, evidence } = detection;
  const [first] = evidence;
  return first === undefined ? [] : [{ ruleKey, findingId, title, severity, score, signals, location: first.location }];
}

function findingOf(finding: StoredFinding): ConversationDiagnosis['findings'][number] {
  const { id, title, severity, diagnosticScore, reviewStatus, resolutionStatus } = finding;
  return { id, title, severity, diagnosticScore, reviewStatus, resolutionStatus };
}
