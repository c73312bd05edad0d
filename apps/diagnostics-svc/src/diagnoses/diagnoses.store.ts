import type { Database } from '@clew/persistence';
import { occurrenceModel, type OccurrenceDocument } from '../findings/finding.model.ts';
import { conversationKey } from '../results/result-state.ts';
import { conversationModel } from '../results/conversation.model.ts';
import type { StoredDiagnosis } from '../results/diagnosis.ts';

/** Fields of an occurrence; only the first evidence, which tells where a symptom shows. */
const OCCURRENCE_FIELDS = {
  findingId: 1,
  ...{ 'detection.ruleKey': 1, 'detection.title': 1, 'detection.severity': 1, 'detection.diagnosticScore': 1 },
  ...{ 'detection.signals': 1, 'detection.evidence': { $slice: 1 } },
} as const;
/** Limit far above the number of occurrences in any real conversation. */
const MAX_OCCURRENCES = 1_000;

type ShownDetection = Pick<
  OccurrenceDocument['detection'],
  'ruleKey' | 'title' | 'severity' | 'diagnosticScore' | 'signals' | 'evidence'
>;
export type ShownOccurrence = Pick<OccurrenceDocument, '_id' | 'findingId'> & { detection: ShownDetection };

/** Diagnosis and occurrences of one conversation. */
export interface DiagnosedConversation {
  diagnosis: StoredDiagnosis | undefined;
  occurrences: ShownOccurrence[];
}

export interface DiagnosisStore {
  /** Reads a conversation; `undefined` if no result has mentioned it. */
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
