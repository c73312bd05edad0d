import {
  MAX_PROBLEMS_OF_CONVERSATION,
  SEVERITIES,
  type DiagnosedConversation,
  type DiagnosedProblem,
} from '@clew/contracts';
import type { Database } from '@clew/persistence';
import { occurrenceModel, type OccurrenceDocument } from '../findings/finding.model.ts';
import type { StoredFinding } from '../findings/finding.ts';
import type { FindingStore } from '../findings/findings.store.ts';
import type { ScoreCalibrations } from '../calibration/index.ts';
import type { StoredDiagnosis } from '../results/diagnosis.ts';
import type { ReviewRecordStore } from '../reviewer/index.ts';
import { conversationModel } from '../results/conversation.model.ts';
import { conversationKey } from '../results/result-state.ts';
import { scoreOf } from './diagnoses.service.ts';

const FIELDS = {
  ...{ conversationId: 1, findingId: 1, diagnosticScore: 1 },
  ...{ 'detection.ruleKey': 1, 'detection.severity': 1, 'detection.title': 1, 'detection.causeAssessment': 1 },
  ...{ 'detection.remediationHint': 1, 'detection.anchor': 1, 'detection.evidence': { $slice: 1 } },
} as const;
/** Limit far above the number of occurrences in any real conversation. */
const MAX_OCCURRENCES_OF_CONVERSATION = 200;

type Shown = Pick<OccurrenceDocument, '_id' | 'conversationId' | 'findingId' | 'diagnosticScore' | 'detection'>;

export interface ReadDiagnosedDependencies {
  database: Database;
  findings: Pick<FindingStore, 'rootsOf'>;
  reviews: Pick<ReviewRecordStore, 'ofMany'>;
  calibrations: Pick<ScoreCalibrations, 'of'>;
}

/** Reads what conversations show, with as many queries whatever their number. */
export type ReadDiagnosed = (projectId: string, conversationIds: readonly string[]) => Promise<DiagnosedConversation[]>;

export function createReadDiagnosed(dependencies: ReadDiagnosedDependencies): ReadDiagnosed {
  const { database, findings, reviews, calibrations } = dependencies;
  const conversations = conversationModel(database.connection);
  const occurrences = occurrenceModel(database.connection);

  return async (projectId, conversationIds) => {
    const ids = conversationIds.map((id) => conversationKey(projectId, id));
    const [known, read, calibration, shown] = await Promise.all([
      conversations
        .find({ _id: { $in: ids }, projectId }, { conversationId: 1, diagnosis: 1 })
        .lean<{ conversationId: string; diagnosis?: StoredDiagnosis }[]>(),
      reviews.ofMany(projectId, conversationIds),
      calibrations.of(projectId),
      occurrences
        .find({ projectId, conversationId: { $in: [...conversationIds] } }, FIELDS)
        .limit(MAX_OCCURRENCES_OF_CONVERSATION * conversationIds.length)
        .lean<Shown[]>(),
    ]);
    const roots = await findings.rootsOf(projectId, [...new Set(shown.map(({ findingId }) => findingId))]);
    const byConversation = Map.groupBy(shown, ({ conversationId }) => conversationId);
    return known.map(({ conversationId, diagnosis }) => ({
      conversationId,
      snapshotId: diagnosis?.snapshotId ?? null,
      score: scoreOf(diagnosis, read.get(conversationId), calibration.line).score,
      problems: (byConversation.get(conversationId) ?? [])
        .toSorted(gravestFirst)
        .slice(0, MAX_PROBLEMS_OF_CONVERSATION)
        .flatMap((occurrence) => problemOf(occurrence, roots.get(occurrence.findingId))),
    }));
  };
}

function gravestFirst(one: Shown, other: Shown): number {
  const gravity = ({ detection }: Shown) => SEVERITIES.indexOf(detection.severity);
  return gravity(one) - gravity(other) || other.diagnosticScore - one.diagnosticScore || (one._id < other._id ? -1 : 1);
}

function problemOf({ detection }: Shown, root: StoredFinding | undefined): DiagnosedProblem[] {
  const location = detection.evidence[0]?.location;
  if (root === undefined || location === undefined) return [];
  const { ruleKey, severity, title, causeAssessment, remediationHint, anchor } = detection;
  const { id: findingId, reviewStatus, resolutionStatus } = root;
  return [
    {
      ...{ findingId, ruleKey, severity, title, causeAssessment, remediationHint },
      ...{ anchor, location, reviewStatus, resolutionStatus },
    },
  ];
}
