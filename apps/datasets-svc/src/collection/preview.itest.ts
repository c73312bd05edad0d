import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CollectionPreview, ConversationSnapshot, KnowledgeItem } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
import { nativeDb } from '@clew/persistence';
import { useTestEnvironment } from '@clew/testing';
import { STARTED_AT, startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;
let projectId: string;

beforeAll(async () => {
  service = await startTestService(environment);
});
afterAll(() => service.stop());
beforeEach(() => {
  projectId = newId('prj');
});

/** Conversation in which the user corrects the assistant, or thanks it. */
function told(conversationId: string, last: string, atMs: number): void {
  const snapshotId = derivedId('cesr', projectId, conversationId);
  const said = [
    ['user', 'What is the capital of Australia?'],
    ['assistant', 'The capital of Australia is Sydney.'],
    ['user', last],
    ['assistant', 'As you say.'],
  ] as const;
  const snapshot: ConversationSnapshot = {
    ...{ projectId, conversationId, snapshotId, contentHash: 'c', revision: 1, scope: 'conversation' },
    ...{
      startedAt: atMs,
      throughMs: atMs,
      agents: [],
      models: [],
      userId: null,
      truncated: false,
      tools: [],
      scores: [],
    },
    messages: said.map(([role, content], index) => {
      return { index, role, content, traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), atMs: atMs + index };
    }),
  };
  service.sources.snapshots.set(snapshotId, snapshot);
  service.sources.diagnosed.set(conversationId, { conversationId, snapshotId, score: 0.1, problems: [] });
  const ready = {
    ...{ conversationId, snapshotId, contentHash: 'c', messagesHash: 'm', revision: 1, startedAt: atMs },
    ...{ lastActivityAt: atMs, messageCount: 4, agents: [] },
  };
  service.sources.ready.set(projectId, [...(service.sources.ready.get(projectId) ?? []), ready]);
}

async function preview(settings: object, query = '') {
  const { path } = await service.newDataset(projectId, { ...settings, collectionEnabled: false });
  return await service.call<CollectionPreview & { code?: string }>({
    ...{ method: 'POST', projectId, path: `${path}/collection/preview${query}`, body: {} },
  });
}

const WRONG = 'That is wrong, the capital of Australia is Canberra.';
const LEARNING = { collectionObjective: 'learn_from_user_corrections', collectionModel: 'loop/wise' } as const;

describe('a preview', () => {
  it('tells of the latest conversations what a Dataset that is off would do, and stores nothing', async () => {
    told('corrected', WRONG, STARTED_AT - 2);
    told('thanked', 'Perfect, thank you, that is all.', STARTED_AT - 1);
    const learning = await preview(LEARNING);
    expect(learning.body).toEqual({
      conversations: [
        { conversationId: 'thanked', would: 'skip', because: 'no_user_correction' },
        { conversationId: 'corrected', would: 'synthesize', because: 'user_correction' },
      ],
      ...{ items: [], examples: [] },
    });
    const preserving = await preview({ collectionObjective: 'preserve_successful_behavior' });
    expect(preserving.body.conversations).toEqual([
      { conversationId: 'thanked', would: 'collect', because: 'confirmation' },
      { conversationId: 'corrected', would: 'skip', because: 'no_success_signal' },
    ]);
    const decisions = nativeDb(service.database.connection).collection('collection_decisions');
    expect(await decisions.countDocuments({ projectId })).toBe(0);
  });

  it('looks at the last hundred conversations only', async () => {
    for (let at = 0; at < 103; at += 1) told(`chat-${at}`, WRONG, STARTED_AT - 1_000 + at);
    const { body } = await preview(LEARNING);
    const names = body.conversations.map(({ conversationId }) => conversationId);
    expect([names.length, names[0], names.at(-1)]).toEqual([100, 'chat-102', 'chat-3']);
  });

  it('tells which Knowledge items would be taught', async () => {
    const item = (status: 'active' | 'archived'): KnowledgeItem => ({
      ...{ id: newId('kitm'), projectId, goalId: 'goal_1', status, title: 'Refunds', kind: 'fact', confidence: 1 },
      ...{ content: 'Refunds take ten days.', subject: { kind: 'project', name: 'project', userId: null } },
      ...{ sourceTraceId: '', sourceConversationId: '', evidence: [], authority: 'person_written', saidAt: 1 },
      ...{ validFrom: null, validUntil: null, heldFrom: 1, heldUntil: null, reviewedAt: null, reviewedBy: null },
      ...{ supersedes: null, supersededBy: null, possiblyOutdatedBy: null, revision: 1, createdAt: 1, updatedAt: 1 },
    });
    const [active, archived] = [item('active'), item('archived')];
    service.sources.items.set(projectId, [active, archived]);
    const { body } = await preview({ collectionObjective: 'teach_project_knowledge' });
    expect(body.items).toEqual([
      { itemId: active.id, would: 'synthesize', because: 'knowledge_item' },
      { itemId: archived.id, would: 'skip', because: 'not_active' },
    ]);
  });

  it.each([
    ['without an objective', {}, '', 409, 'COLLECTION_OFF'],
    ['of responses of a model that is not there', LEARNING, '?synthesize=1', 409, 'MODEL_UNAVAILABLE'],
    ['of more responses than it may have', LEARNING, '?synthesize=4', 400, 'VALIDATION_FAILED'],
  ])('%s is refused', async (_what, settings, query, expected, code) => {
    service.modelRuntime.reasons.set('loop/wise', 'provider_unreachable');
    const { status, body } = await preview(settings, query);
    expect([status, body.code]).toEqual([expected, code]);
  });
});
