import {
  analysisRequested,
  type ConversationMessage,
  type ConversationSnapshot,
  type EnvelopeOf,
} from '@clew/contracts';
import { derivedId, newId, sha256Hex } from '@clew/kernel';
import { DEFAULT_RULE_CONFIGURATION, type RuleDefinition } from '@clew/rules';

export type AnalysisRequest = EnvelopeOf<typeof analysisRequested>;

const STARTED_AT = 1_700_000_000_000;

/** Snapshot, of a new project by default, in which the user has to correct the assistant. */
export function correctedConversation(projectId = newId('prj'), conversationId = 'a chat'): ConversationSnapshot {
  const texts = [
    ['user', 'Which day is the delivery?'],
    ['assistant', 'Your delivery is on Tuesday.'],
    ['user', "No, that's wrong. I said the order of last week, not this one."],
    ['assistant', 'I am sorry, it is on Friday.'],
  ] as const;
  const messages = texts.map(([role, content], index): ConversationMessage => ({
    ...{ index, role, content },
    ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), atMs: STARTED_AT + index },
  }));
  return {
    ...{ projectId, conversationId, contentHash: 'hash' },
    snapshotId: derivedId('cesr', projectId, conversationId),
    ...{ revision: 3, scope: 'conversation', startedAt: STARTED_AT, throughMs: STARTED_AT + texts.length },
    ...{ agents: [], models: [], userId: null, truncated: false, tools: [], scores: [], messages },
  };
}

/** Command to evaluate Rules on snapshots of a project; equal arguments give equal commands. */
export function requestOf(
  snapshots: ConversationSnapshot | ConversationSnapshot[],
  ruleIds: readonly string[],
): AnalysisRequest {
  const all = Array.isArray(snapshots) ? snapshots : [snapshots];
  const [{ projectId, snapshotId: first }] = all as [ConversationSnapshot];
  const names = all.map(({ snapshotId }) => snapshotId).join();
  return {
    id: `${analysisRequested.type}:${sha256Hex(`${names}:${ruleIds.join()}`)}`,
    type: analysisRequested.type,
    version: analysisRequested.version,
    occurredAt: STARTED_AT,
    projectId,
    requestId: `req_${first.slice(5)}`,
    data: {
      rules: ruleIds.map((ruleId) => ({ ruleId, configuration: DEFAULT_RULE_CONFIGURATION })),
      snapshots: all.map(({ conversationId, snapshotId }) => ({ conversationId, snapshotId })),
    },
  };
}

/** Rule with a given detect function. */
export function ruleThat(ruleId: string, detect: RuleDefinition['detect']): RuleDefinition {
  return {
    ...{ ruleId, ruleKey: ruleId, name: ruleId, description: '', categoryKey: 'tests', keywordsMeaning: null },
    signals: [{ name: 'shown', description: '', defaultSeverity: 'low', weight: 1 }],
    defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
    detect,
  };
}
