import {
  analysisCompleted,
  type CheckedExpectation,
  type ConversationMessage,
  type ConversationSnapshot,
  type Expectation,
  type ExpectationCheck,
} from '@clew/contracts';
import { derivedId, sha256Hex } from '@clew/kernel';
import { detectBrokenExpectations, expectationBroken } from '@clew/rules';
import { STARTED_AT, type CompletedMessage } from './results.ts';

/** Parts from which a conversation is built. */
export interface ConversationParts {
  projectId: string;
  conversationId?: string;
  revision?: number;
  /** Tools that the agent calls, one per step, each successfully. */
  calls?: readonly string[];
  prompt?: string;
  /** Tools that the agent is offered. */
  offers?: readonly string[];
  says?: string;
}

/** Builds a snapshot; equal parts give equal snapshots. */
export function snapshotOfParts(parts: ConversationParts): ConversationSnapshot {
  const { projectId, conversationId = 'a chat', revision = 1, calls = [], offers = [] } = parts;
  const called = calls.flatMap((name, index) => [
    { role: 'assistant', content: '', toolCalls: [{ id: `call_${index}`, name, arguments: {} }] },
    { role: 'tool', content: 'done', toolCallId: `call_${index}`, name },
  ]);
  const script = [
    ...(parts.prompt === undefined ? [] : [{ role: 'system', content: parts.prompt }]),
    { role: 'user', content: 'Please help me.' },
    ...called,
    { role: 'assistant', content: parts.says ?? 'It is done.' },
  ];
  const messages = script.map((message, index) => ({
    ...(message as Pick<ConversationMessage, 'role' | 'content'>),
    ...{ index, traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), atMs: STARTED_AT + index },
  }));
  return {
    ...{ projectId, conversationId, contentHash: sha256Hex(JSON.stringify(script)) },
    snapshotId: derivedId('cesr', JSON.stringify(parts)),
    ...{ revision, scope: 'conversation', startedAt: STARTED_AT, throughMs: STARTED_AT + 1_000 * revision },
    ...{ agents: ['assistant'], models: [], userId: null, truncated: false, messages, scores: [] },
    tools: offers.map((name) => ({ name, parameters: {} })),
  };
}

export const NEVER_PAY: ExpectationCheck = { form: 'never_call', tools: ['pay'] };

/** Result of a worker that checked snapshots for Expectations; `revision` is that of the checked set. */
export function checkedResult(
  snapshots: readonly ConversationSnapshot[],
  { revision, active }: { revision: number; active: readonly (CheckedExpectation | Expectation)[] },
): CompletedMessage {
  const [first] = snapshots;
  if (first === undefined) throw new Error('There is no snapshot');
  const { type, version } = analysisCompleted;
  const data: CompletedMessage['data'] = {
    rules: [{ ruleId: expectationBroken.ruleId, revision: String(revision * 10_000 + 1) }],
    conversations: snapshots.map((snapshot) => {
      const { conversationId, snapshotId, scope, startedAt, throughMs } = snapshot;
      const detections = detectBrokenExpectations(active, snapshot);
      return {
        ...{ conversationId, snapshotId },
        snapshot: { revision: snapshot.revision, scope, startedAt, throughMs },
        ...(detections.length === 0 ? {} : { detections }),
      };
    }),
  };
  const id = `${type}:${sha256Hex(JSON.stringify(data))}`;
  return { id, type, version, occurredAt: STARTED_AT, projectId: first.projectId, requestId: null, data };
}
