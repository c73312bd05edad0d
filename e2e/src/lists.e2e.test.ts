import { beforeAll, describe, expect, it } from '@jest/globals';
import type {
  ConversationMessage,
  ConversationPoint,
  ConversationSummary,
  Count,
  Dataset,
  Erasure,
  Example,
  KnowledgeItem,
  LearningGoal,
} from '@clew/contracts';
import { encodeConversation, eventually, toOtlpJson } from '@clew/testing';
import { callApi } from './support/api.ts';
import { cleanConversation } from './support/conversations.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const HOUR_MS = 3_600_000;

let project: TestProject;

beforeAll(async () => {
  project = await createTestProject('lists');
  for (const conversationId of ['one', 'two']) {
    const told = encodeConversation(
      { ...cleanConversation(conversationId), conversationId },
      { dialect: 'genai', startMs: Date.now() - 60_000, idSeed: conversationId },
    );
    const { status } = await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(told) });
    expect(status).toBe(200);
    await project.readyConversation(conversationId);
  }
}, 90_000);

describe('conversations for a page', () => {
  const list = async (query: string) =>
    (await project.call<{ conversations: ConversationSummary[] }>(`/conversations?${query}`)).body.conversations
      .map(({ id }) => id)
      .sort();

  it('are filtered and counted through the gateway', async () => {
    expect(await list('state=ready&hasError=false&minMessages=2')).toEqual(['one', 'two']);
    expect(await list('hasError=true')).toEqual([]);
    await project.call('/conversations/one/scores', { body: { name: 'csat', value: true, source: 'user' } });
    await eventually(async () => expect(await list('score=csat:success')).toEqual(['one']), { timeoutMs: 30_000 });
    const { status, body } = await project.call<{ total: Count }>('/conversations/counts?by=state');
    expect([status, body.total]).toEqual([200, { count: 2, atLeast: false }]);
  });

  it('make a series, and are read in windows that are not sent twice', async () => {
    const endMs = Date.now() + HOUR_MS;
    const range = `startMs=${endMs - 24 * HOUR_MS}&endMs=${endMs}&intervalMs=${24 * HOUR_MS}`;
    const { body } = await project.call<{ series: { points: ConversationPoint[] }[] }>(
      `/conversations/series?${range}`,
    );
    expect(body.series[0]?.points).toMatchObject([{ conversations: 2, errors: 0 }]);
    const path = '/conversations/two/messages?from=1&limit=1';
    const window = await project.call<{ messages: ConversationMessage[] }>(path);
    expect([window.status, window.body.messages.map(({ index }) => index)]).toEqual([200, [1]]);
    const again = await project.call(path, { headers: { 'if-none-match': window.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it('that are erased are in the list of erasures, and in no count', async () => {
    const { status } = await project.call('/conversations/two', { method: 'DELETE' });
    expect(status).toBe(202);
    const { body } = await project.call<{ erasures: Erasure[] }>('/erasures?limit=10');
    expect(body.erasures.map(({ conversationId }) => conversationId)).toEqual(['two']);
    await eventually(
      async () => expect((await project.call<{ total: Count }>('/conversations/counts')).body.total.count).toBe(1),
      { timeoutMs: 30_000 },
    );
  });
});

describe('Knowledge for a page', () => {
  it('is reviewed many items at a time, filtered and counted', async () => {
    const goal = (
      await project.call<LearningGoal>('/knowledge/goals', { body: { name: 'Facts', instruction: 'Learn facts' } })
    ).body;
    const items: KnowledgeItem[] = [];
    for (const content of ['Parcels take two days', 'Refunds take nine days']) {
      const body = { goalId: goal.id, title: 'Times', content, kind: 'fact' };
      items.push((await project.call<KnowledgeItem>('/knowledge/items', { body })).body);
    }
    const named = items.map(({ id, revision }) => ({ itemId: id, revision }));
    const updated = await project.call<{ results: { outcome: string }[] }>('/knowledge/items/bulk-updates', {
      body: { items: named, change: { kind: 'policy' } },
    });
    expect([updated.status, updated.body.results.map(({ outcome }) => outcome)]).toEqual([200, ['updated', 'updated']]);
    const { body } = await project.call<{ items: KnowledgeItem[] }>('/knowledge/items?kind=policy&reviewed=true');
    expect(body.items).toHaveLength(2);
    const counted = await project.call<{ total: Count }>('/knowledge/items/counts?by=kind&kind=policy');
    expect([counted.status, counted.body.total.count]).toEqual([200, 2]);
    expect((await project.call('/knowledge/backfills')).body).toEqual({ backfills: [], nextCursor: null });
  });
});

describe('Datasets for a page', () => {
  it('have Examples that are tagged together, and found by their tags and words', async () => {
    const schema = { type: 'chat', version: 1 };
    const dataset = (await project.call<Dataset>('/datasets', { body: { name: 'Answers of lists', schema } })).body;
    const path = `/datasets/${dataset.id}/examples`;
    const source = { kind: 'manual', externalRef: 'x' };
    const payload = { input: { type: 'text', text: 'Where is my parcel?' } };
    const example = (await project.call<Example>(path, { body: { source, payload } })).body;
    const { status } = await project.call(`${path}/bulk-updates`, {
      body: { examples: [{ exampleId: example.id, version: example.version }], change: { addTags: ['good'] } },
    });
    expect(status).toBe(200);
    const found = await project.call<{ examples: Example[] }>(`${path}?tag=good&q=parcel&sourceKind=manual`);
    expect(found.body.examples.map(({ id }) => id)).toEqual([example.id]);
    const { body } = await project.call<{ datasets: Dataset[] }>('/datasets?q=answers&collectionStatus=off');
    expect(body.datasets.map(({ id }) => id)).toEqual([dataset.id]);
  });
});
