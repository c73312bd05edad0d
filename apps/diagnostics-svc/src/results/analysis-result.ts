import type {
  analysisCompleted,
  Detection,
  EnvelopeOf,
  MISSING_SUCCESS,
  Offered,
  RuleRevision,
  ShownPrompt,
} from '@clew/contracts';
import type { AnalysisTarget } from '../analyses/index.ts';
import type { EvaluatedSnapshot } from '../findings/occurrence.ts';
import type { StoredDiagnosis } from './diagnosis.ts';

export interface RunResult {
  rule: RuleRevision;
  outcome: { status: 'succeeded'; detections: readonly Detection[] } | { status: 'failed' | 'skipped'; reason: string };
}

/** Result of a worker for one conversation. */
export interface AnalysisResult extends AnalysisTarget {
  requestId: string | null;
  /** Undefined if the snapshot no longer exists. */
  snapshot: EvaluatedSnapshot | undefined;
  runs: readonly RunResult[];
  /** Why the conversation shows no success, if the worker says so. */
  missingSuccess?: (typeof MISSING_SUCCESS)[number] | undefined;
  /** Diagnosis of the conversation, if the worker sent one. */
  diagnosis?: StoredDiagnosis | undefined;
}

/** Message with the results of some conversations. */
export interface ResultMessage {
  id: string;
  results: readonly AnalysisResult[];
  /** Prompts that the conversations show. */
  prompts: readonly (ShownPrompt & { projectId: string })[];
}

const GONE = { status: 'skipped', reason: 'The snapshot no longer exists' } as const;
const NOTHING_FOUND = { status: 'succeeded', detections: [] } as const;

export function resultMessageOf({
  id,
  projectId,
  requestId,
  data,
}: EnvelopeOf<typeof analysisCompleted>): ResultMessage {
  // Shared objects, because most conversations show nothing.
  const clean = data.rules.map((rule): RunResult => ({ rule, outcome: NOTHING_FOUND }));
  const gone = data.rules.map((rule): RunResult => ({ rule, outcome: GONE }));
  const { prompts = [], offered = [] } = data;
  const results = data.conversations.map((conversation): AnalysisResult => {
    const { conversationId, snapshotId, snapshot, ruleIds, missingSuccess } = conversation;
    const all = snapshot === null ? gone : runsOf(clean, conversation);
    return {
      ...{ projectId, requestId, conversationId, snapshotId },
      snapshot: snapshot === null ? undefined : evaluatedSnapshotOf(snapshotId, snapshot, offered),
      missingSuccess,
      diagnosis: diagnosisOf(conversation, data.rules.length),
      runs: ruleIds === undefined ? all : all.filter(({ rule }) => ruleIds.includes(rule.ruleId)),
    };
  });
  return { id, results, prompts: prompts.map((prompt) => ({ projectId, ...prompt })) };
}

function evaluatedSnapshotOf(
  snapshotId: string,
  { offered: place, ...snapshot }: NonNullable<ConversationData['snapshot']>,
  all: readonly Offered[],
): EvaluatedSnapshot {
  const offered = place === undefined ? undefined : all[place];
  return { snapshotId, ...snapshot, ...(offered === undefined ? {} : { offered }) };
}

type ConversationData = EnvelopeOf<typeof analysisCompleted>['data']['conversations'][number];

function diagnosisOf(conversation: ConversationData, ruleCount: number): StoredDiagnosis | undefined {
  const { snapshotId, snapshot, diagnosis, failed = [], skipped = [] } = conversation;
  if (snapshot === null || snapshot.scope !== 'conversation' || diagnosis === undefined) return undefined;
  const { revision } = snapshot;
  return { snapshotId, revision, ruleCount: ruleCount - failed.length - skipped.length, ...diagnosis };
}

function runsOf(clean: readonly RunResult[], { detections, failed, skipped }: ConversationData): readonly RunResult[] {
  if (detections === undefined && failed === undefined && skipped === undefined) return clean;
  const found = Map.groupBy(detections ?? [], ({ ruleId }) => ruleId);
  const outcomes = new Map<string, RunResult['outcome']>([
    ...[...found].map(([ruleId, own]) => [ruleId, { status: 'succeeded', detections: own }] as const),
    ...(failed ?? []).map(({ ruleId, reason }) => [ruleId, { status: 'failed', reason }] as const),
    ...(skipped ?? []).map(({ ruleId, reason }) => [ruleId, { status: 'skipped', reason }] as const),
  ]);
  return clean.map(({ rule, outcome }) => ({ rule, outcome: outcomes.get(rule.ruleId) ?? outcome }));
}
