import type { Database } from '@clew/persistence';
import { occurrenceModel, type OccurrenceDocument } from '../findings/finding.model.ts';
import { conversationKey } from '../results/result-state.ts';
import { conversationModel } from '../results/conversation.model.ts';
import type { StoredDiagnosis } from '../results/diagnosis.ts';

/** Where a symptom shows is told by the first evidence. */
const OCCURRENCE_FIELDS = {
  findingId: 1,
  ...{ 'detection.ruleKey': 1, 'detection.title': 1, 'detection.severity': 1, 'detection.diagnosticScore': 1 },
  ...{ 'detection.signals': 1, 'detection.evidence': { $slice: 1 } },
} as const;
/** More than any conversation shows in earnest. */
const MAX_OCCURRENCES = 1_000;

type ShownDetection = Pick<
  OccurrenceDocument['detection'],
  'ruleKey' | 'title' | 'severity' | 'diagnosticScore' | 'signals' | 'evidence'
>;
export type ShownOccurrence = Pick<OccurrenceDocument, '_id' | 'findingId'> & { detection: ShownDetection };

/** What is known of one conversation. */
export interface DiagnosedConversation {
  diagnosis: StoredDiagnosis | undefined;
  occurrences: ShownOccurrence[];
}

export interface DiagnosisStore {
  /** Undefined where no result has told of it. */
  get(projectId: string, conversationId: string): Promise<DiagnosedConversation | undefined>;
}

export function createDiagnosisStore({ connection }: Database): DiagnosisStore {
  const conversations = conversationModel(connection);
  const occurrences = occurrenceModel(connection);
  return {
    async get(projectId, conversationId) {
      const _id = conversationKey(projectId, conversationId);
      const [conversation, shown] = await Promise.all([
        conversations.findOne({ _id, projectId, conversationId }, { diagnosis: 1 }).lean(),
        occurrences
          .find({ projectId, conversationId }, OCCURRENCE_FIELDS)
          .limit(MAX_OCCURRENCES)
          .lean<ShownOccurrence[]>(),
      ]);
      return conversation === null ? undefined : { diagnosis: conversation.diagnosis, occurrences: shown };
    },
  };
}
