import { extractionRequested, type ConversationMessage, type ConversationSnapshot } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
import type { ClaimedItem } from '@clew/knowledge';
import { allText, type ChatRequest, type Reply, type ScriptedAnswer } from '@clew/testing/provider';
import type { ExtractionCommand } from '../extraction/extract.ts';

const STARTED_AT = 1_700_000_000_000;

export type Said = Pick<ConversationMessage, 'role' | 'content'> & Partial<ConversationMessage>;

/** Item that the user teaches in `taughtConversation`, as a good model states it. */
export const TAUGHT: ClaimedItem = {
  title: 'Approval of refunds',
  content: 'Refunds above 500 euros need the approval of Marta.',
  ...{ kind: 'policy', confidence: 0.9, authority: 'user_stated' },
  evidence: [{ messageIndex: 2, quote: 'refunds above 500 euros need the approval of Marta' }],
};

export function taughtConversation(projectId = newId('prj')): ConversationSnapshot {
  return snapshotOf(
    [
      { role: 'user', content: 'Please refund order 17.' },
      { role: 'assistant', content: 'I have refunded 800 euros.' },
      { role: 'user', content: "That's wrong: refunds above 500 euros need the approval of Marta. Ask her first." },
      { role: 'assistant', content: 'I am sorry, I will ask Marta.' },
    ],
    { projectId },
  );
}

/** Snapshot of a conversation with these messages. */
export function snapshotOf(
  said: readonly Said[],
  { projectId = newId('prj'), conversationId = 'a chat', revision = 1 } = {},
): ConversationSnapshot {
  return {
    ...{ projectId, conversationId, contentHash: 'hash', revision, scope: 'conversation' },
    snapshotId: derivedId('cesr', projectId, conversationId, String(revision)),
    ...{ startedAt: STARTED_AT, throughMs: STARTED_AT + said.length, truncated: false, userId: null },
    ...{ agents: [], models: [], tools: [], scores: [] },
    messages: said.map((message, index) => ({
      ...{ index, traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), atMs: STARTED_AT + index },
      ...message,
    })),
  };
}

/** Command to extract Knowledge from a snapshot. */
export function extractionOf(
  { projectId, conversationId, snapshotId }: ConversationSnapshot,
  data: Partial<ExtractionCommand['data']> = {},
): ExtractionCommand {
  const { type, version } = extractionRequested;
  return {
    ...{ id: `${type}:${snapshotId}:1`, type, version, occurredAt: 1, projectId, requestId: null },
    data: {
      ...{
        extractionId: `extraction from ${snapshotId}`,
        goalId: 'a goal',
        goalRevision: 1,
        conversationId,
        snapshotId,
      },
      ...{ model: 'loop/wise', round: 1, instruction: 'Learn how we handle refunds', embeddingModel: null },
      capabilities: { jsonMode: true, jsonSchema: true, contextLength: 8_000 },
      ...{ alreadyRead: '', minNewTokens: 0, ...data },
    },
  };
}

export function itemsAnswer(...items: unknown[]): ScriptedAnswer {
  return { text: JSON.stringify({ items }) };
}

/** Answer for a project without a model that can judge. */
export const NO_JUDGE: ScriptedAnswer = {
  status: 503,
  rawBody: JSON.stringify({ error: { code: 'model_unavailable', message: 'No model passes' } }),
};

/** Provider with one reply for extraction requests, one for entailment requests and one for comparisons of items. */
export function knowledgeModel(
  extracts: Reply,
  judges: Reply = () => NO_JUDGE,
  compares: Reply = () => NO_JUDGE,
): Reply {
  return (request) => {
    if (allText(request).includes('You compare new statements')) return compares(request);
    return (isEntailment(request) ? judges : extracts)(request);
  };
}

export function isEntailment(request: ChatRequest): boolean {
  return allText(request).includes('You check statements against quotes.');
}

/** Decides for each statement of a request whether it follows. */
export function judgeThat(follows: (statement: string) => boolean): Reply {
  return (request) => {
    const statements = [...allText(request).matchAll(/^Statement: (.*)$/gm)].map(([, statement = '']) => statement);
    const verdicts = statements.map((each, position) => ({
      ...{ statement: position + 1, follows: follows(each), reason: follows(each) ? 'none' : 'says_more' },
    }));
    return { text: JSON.stringify({ verdicts }) };
  };
}
