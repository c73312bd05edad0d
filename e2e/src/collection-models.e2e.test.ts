import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CollectionPreview, Dataset, Example, KnowledgeItem } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { decisionsOf, tell, untilDecided, writingModel } from './support/collection.ts';
import { failingToolConversation } from './support/conversations.ts';
import { allExamples, createTestDataset, type TestDataset } from './support/datasets.ts';
import { newGoal } from './support/knowledge-model.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const LONG = { timeoutMs: 45_000 };
const MODEL = 'loop/wise';
let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startProvider({
    models: ['wise'],
    reply: writingModel((prompt) => {
      const refuse = prompt.includes('order 33') ? { right: 'no' as const } : {};
      if (prompt.includes('capital of Australia'))
        return {
          response: {
            ...{ content: 'The capital of Australia is Canberra.', messageIndex: 3 },
            quote: 'the capital of Australia is Canberra',
          },
        };
      return {
        response: {
          ...{ content: 'I could not cancel your order: the tool answered with an error.', messageIndex: 3 },
          quote: 'Error: 503 from billing',
        },
        item: {
          question: 'How long do refunds take?',
          answer: 'Refunds take ten days.',
          quote: 'Refunds take ten days.',
        },
        ...refuse,
      };
    }),
  });
});
afterAll(() => provider.stop());

async function addProvider(project: TestProject): Promise<void> {
  const { status } = await project.call('/models/providers', { body: { name: 'loop', baseUrl: provider.url } });
  expect(status).toBe(201);
}

const read = async (project: TestProject, { path }: TestDataset) => (await project.call<Dataset>(path)).body;

function wrongCapital(conversationId: string) {
  return {
    ...{ conversationId, agent: 'guide', model: 'gpt-4o-mini' },
    messages: [
      { role: 'system', content: 'You answer questions about countries.' },
      { role: 'user', content: 'What is the capital of Australia?' },
      { role: 'assistant', content: 'The capital of Australia is Sydney.' },
      { role: 'user', content: 'That is wrong, the capital of Australia is Canberra.' },
      {
        role: 'assistant',
        content: 'You are right, I apologize for the mistake: it is Canberra.',
        finishReason: 'stop',
      },
    ] as const,
  };
}

describe('an objective that synthesizes an expected response', () => {
  it('uses the collection model, by default service/auto, and is not scheduled while that needs setup', async () => {
    const project = await createTestProject('setup');
    const dataset = await createTestDataset(project, { collectionObjective: 'learn_from_user_corrections' });
    expect(dataset.dataset.collectionPolicy).toMatchObject({ model: 'service/auto' });
    await eventually(async () => {
      expect(await read(project, dataset)).toMatchObject({
        ...{ collectionStatus: 'setup_required', blockedReason: expect.stringContaining('service/auto') },
      });
    }, LONG);
    await tell(project, wrongCapital('30'));
    await untilDecided(project, dataset, '30', 'to_synthesize');
    expect((await read(project, dataset)).exampleCount).toBe(0);
    await addProvider(project);
    await untilDecided(project, dataset, '30', 'collected');
    expect(await read(project, dataset)).toMatchObject({
      ...{ collectionStatus: 'ready', blockedReason: null, exampleCount: 1 },
    });
  });

  it('corrects a failed conversation: the bad response is the rejected one, and the input ends before it', async () => {
    const project = await createTestProject('corrects');
    await addProvider(project);
    const settings = { collectionObjective: 'correct_failed_conversations', collectionModel: MODEL };
    const dataset = await createTestDataset(project, settings);
    await tell(project, failingToolConversation('31'));
    await eventually(async () => expect(await project.findings()).not.toEqual([]), LONG);
    for (const { id } of await project.findings())
      await project.call(`/diagnostics/findings/${id}`, { method: 'PATCH', body: { reviewStatus: 'confirmed' } });
    const decision = await untilDecided(project, dataset, '31', 'collected');
    expect(decision).toMatchObject({ because: 'confirmed_finding', model: MODEL });
    const [{ source, tags, payload }, ...others] = (await allExamples(project, dataset.path)) as [Example];
    expect(others).toEqual([]);
    expect(source).toMatchObject({ kind: 'conversation', conversationId: '31' });
    expect(source.derivationKey).toMatch(/^correct_failed_conversations:[0-9a-f]{32}$/);
    expect(tags).toEqual(expect.arrayContaining(['collected', `model:${MODEL}`]));
    expect(payload).toMatchObject({
      expectedOutput: { message: { role: 'assistant', content: expect.stringContaining('could not cancel') } },
      rejectedOutput: { message: { role: 'assistant', content: expect.stringContaining('has been cancelled') } },
    });
    const { messages } = payload.input as { messages: { role: string }[] };
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect((await read(project, dataset)).exampleCount).toBe(1);
  });

  it('learns from corrections by users', async () => {
    const project = await createTestProject('learns');
    await addProvider(project);
    const settings = { collectionObjective: 'learn_from_user_corrections', collectionModel: MODEL };
    const dataset = await createTestDataset(project, settings);
    await tell(project, wrongCapital('32'));
    expect(await untilDecided(project, dataset, '32', 'collected')).toMatchObject({ because: 'user_correction' });
    const [{ payload }] = (await allExamples(project, dataset.path)) as [Example];
    expect(payload).toMatchObject({
      input: { messages: [{ role: 'system' }, { role: 'user', content: 'What is the capital of Australia?' }] },
      expectedOutput: { message: { content: 'The capital of Australia is Canberra.' } },
      rejectedOutput: { message: { content: 'The capital of Australia is Sydney.' } },
    });
  });

  it('teaches Knowledge of the goals that it is narrowed to, until the item no longer holds', async () => {
    const project = await createTestProject('teaches');
    await addProvider(project);
    const [own, other] = [await newGoal(project), await newGoal(project)];
    const dataset = await createTestDataset(project, {
      ...{ collectionObjective: 'teach_project_knowledge', collectionModel: MODEL },
      collectionFilters: { knowledgeGoalIds: [own] },
    });
    const items = await Promise.all(
      [own, other].map(async (goalId) => {
        const body = { goalId, title: 'Refunds', content: 'Refunds take ten days.', kind: 'fact' };
        const made = await project.call<KnowledgeItem>('/knowledge/items', { body });
        expect(made.status).toBe(201);
        return made.body;
      }),
    );
    const [item] = items as [KnowledgeItem];
    await untilDecided(project, dataset, item.id, 'collected');
    const [{ source, payload }, ...others] = (await allExamples(project, dataset.path)) as [Example];
    expect(others).toEqual([]);
    expect(source).toMatchObject({ kind: 'synthetic', externalRef: item.id });
    expect(payload).toMatchObject({
      input: { messages: [{ role: 'user', content: 'How long do refunds take?' }] },
      expectedOutput: { message: { content: 'Refunds take ten days.' } },
    });
    const archived = { method: 'PATCH', body: { status: 'archived' } } as const;
    expect((await project.call(`/knowledge/items/${item.id}`, archived)).status).toBe(200);
    await untilDecided(project, dataset, item.id, 'stale');
    expect(await decisionsOf(project, dataset)).toHaveLength(1);
  });

  it('is shown before it is switched on: nothing is made, and a model is called only on request', async () => {
    const project = await createTestProject('preview');
    await addProvider(project);
    const dataset = await createTestDataset(project, {
      ...{ collectionObjective: 'learn_from_user_corrections', collectionModel: MODEL, collectionEnabled: false },
    });
    await tell(project, wrongCapital('34'));
    const path = `${dataset.path}/collection/preview`;
    const preview = async (query = '') => (await project.call<CollectionPreview>(`${path}${query}`, { body: {} })).body;
    const conversations = [{ conversationId: '34', would: 'synthesize', because: 'user_correction' }];
    await eventually(async () => expect(await preview()).toEqual({ conversations, items: [], examples: [] }), LONG);
    const [example] = (await preview('?synthesize=3')).examples;
    expect(example?.payload.expectedOutput).toMatchObject({
      message: { content: expect.stringContaining('Canberra') },
    });
    expect([await allExamples(project, dataset.path), await decisionsOf(project, dataset)]).toEqual([[], []]);
  });

  it('keeps nothing that a second look finds wrong', async () => {
    const project = await createTestProject('refutes');
    await addProvider(project);
    const settings = { collectionObjective: 'correct_failed_conversations', collectionModel: MODEL };
    const dataset = await createTestDataset(project, settings);
    await tell(project, failingToolConversation('33'));
    await eventually(async () => expect(await project.findings()).not.toEqual([]), LONG);
    for (const { id } of await project.findings())
      await project.call(`/diagnostics/findings/${id}`, { method: 'PATCH', body: { reviewStatus: 'confirmed' } });
    const refused = await untilDecided(project, dataset, '33', 'refused');
    expect(refused).toMatchObject({ reason: expect.stringMatching(/second_look|no_grave_problem/) });
    await eventually(async () => {
      const [decision] = await decisionsOf(project, dataset, '&conversationId=33');
      expect(decision).toMatchObject({ outcome: 'refused', reason: 'second_look', exampleIds: [] });
    }, LONG);
  });
});
