import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeItem, LearningGoal } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { callApi, type ApiRequest } from './support/api.ts';
import { importTaught, itemsOf, newGoal, extractionModel, requestBackfill } from './support/knowledge-model.ts';
import { createKey, createTestProject, type TestProject } from './support/test-project.ts';

const LONG = { timeoutMs: 45_000 };
const GOAL = { name: 'Facts', instruction: 'Learn what lasts' };
let capable: ScriptedProvider;
let talker: ScriptedProvider;
let project: TestProject;

beforeAll(async () => {
  capable = await startProvider({ models: ['wise', 'wiser'], reply: extractionModel() });
  talker = await startProvider({ models: ['chatty'], reply: () => ({ text: 'Certainly! Here you are.' }) });
  project = await createTestProject('goals');
  for (const [name, { url }] of Object.entries({ loop: capable, plain: talker })) {
    const { status } = await project.call('/models/providers', { body: { name, baseUrl: url } });
    expect(status).toBe(201);
    await project.call(`/models/providers/${name}/test`, { method: 'POST' });
  }
});

afterAll(async () => {
  await capable.stop();
  await talker.stop();
});

const made = async (model: string) =>
  (await project.call<LearningGoal>('/knowledge/goals', { body: { ...GOAL, model } })).body;
const changed = (id: string, body: object) =>
  project.call<LearningGoal>(`/knowledge/goals/${id}`, { method: 'PATCH', body });

interface GoalPage {
  goals: LearningGoal[];
  nextCursor: string | null;
}

const page = async (query: string) => (await project.call<GoalPage>(`/knowledge/goals?${query}`)).body;

describe('Learning Goals each carry an instruction and their own model', () => {
  it('a newly created goal is active; the model is changeable independently per goal', async () => {
    const [one, other] = [await made('loop/wise'), await made('loop/wise')];
    expect(one).toMatchObject({ ...GOAL, model: 'loop/wise', status: 'active' });
    expect(await changed(one.id, { model: 'loop/wiser' })).toMatchObject({
      status: 200,
      body: { id: one.id, instruction: GOAL.instruction, model: 'loop/wiser', status: 'active' },
    });
    const { body } = await project.call(`/knowledge/goals/${other.id}`);
    expect(body).toEqual(other);
  });

  it('extraction requires a model that supports Chat Completions and JSON Mode', async () => {
    await eventually(async () => {
      const refused = await project.call('/knowledge/goals', { body: { ...GOAL, model: 'plain/chatty' } });
      expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'body.model' }] } });
    }, LONG);
    const { id } = await made('loop/wise');
    expect((await changed(id, { model: 'plain/chatty' })).status).toBe(400);
  });

  it('goals are listed by status, in pages of limit and cursor, and since updatedAfter', async () => {
    const [active, paused, archived] = [await made('loop/wise'), await made('loop/wise'), await made('loop/wise')];
    await changed(paused.id, { status: 'paused' });
    const { body: last } = await changed(archived.id, { status: 'archived' });
    for (const { id, status } of [
      { id: active.id, status: 'active' },
      { id: paused.id, status: 'paused' },
      { id: archived.id, status: 'archived' },
    ]) {
      const { goals } = await page(`status=${status}&limit=500`);
      expect(goals.map((goal) => goal.id)).toContain(id);
      expect(new Set(goals.map((goal) => goal.status))).toEqual(new Set([status]));
    }
    const all = (await page('limit=500')).goals.map(({ id }) => id);
    const inPages: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { goals, nextCursor }: GoalPage = await page(`limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      expect(goals.length).toBeLessThanOrEqual(2);
      inPages.push(...goals.map(({ id }) => id));
      cursor = nextCursor;
    }
    expect(inPages).toEqual(all);
    const since = await page(`updatedAfter=${last.updatedAt - 1}`);
    expect(since.goals.map(({ id }) => id)).toContain(archived.id);
    expect((await page(`updatedAfter=${last.updatedAt + 60_000}`)).goals).toEqual([]);
  });

  it('an archived goal can be made active again, and is not paused', async () => {
    const { id } = await made('loop/wise');
    await changed(id, { status: 'archived' });
    expect((await changed(id, { status: 'paused' })).status).toBe(409);
    expect(await changed(id, { status: 'active' })).toMatchObject({ status: 200, body: { status: 'active' } });
  });
});

it('each item carries reviewable content that a caller can update', async () => {
  const own = await createTestProject('reviewed');
  await own.call('/models/providers', { body: { name: 'loop', baseUrl: capable.url } });
  const goalId = await newGoal(own);
  await importTaught(own, { a: 'the depot in Ghent opens at six' });
  await own.readyConversation('a');
  const window = { startMs: 0, endMs: Date.now() + 86_400_000 };
  expect((await requestBackfill(own, goalId, window)).status).toBe(202);
  const [item] = await eventually(async () => {
    const items = await itemsOf(own);
    expect(items).toHaveLength(1);
    return items;
  }, LONG);
  const reviewed = { title: 'Ghent', content: 'The depot in Ghent opens at six in the morning' };
  const path = `/knowledge/items/${item!.id}`;
  const change = await own.call<KnowledgeItem>(path, { method: 'PATCH', body: reviewed });
  expect(change).toMatchObject({ status: 200, body: { id: item!.id, ...reviewed, evidence: item!.evidence } });
  expect((await own.call(path)).body).toEqual(change.body);
  expect((await own.call(`/knowledge/items/kno_${'1'.repeat(26)}`)).status).toBe(404);
});

it('Knowledge (all endpoints): workspace:read to read, workspace:write to change', async () => {
  const { id } = await made('loop/wise');
  const keyOf = async (scope: 'workspace:read' | 'workspace:write' | 'diagnostics:write') =>
    (await createKey(project.id, { name: scope, scopes: [scope] })).secret;
  const [reader, writer, neither] = [
    await keyOf('workspace:read'),
    await keyOf('workspace:write'),
    await keyOf('diagnostics:write'),
  ];
  const at = `/v1/projects/${project.id}/knowledge`;
  for (const path of ['/settings', '/goals', `/goals/${id}`, `/goals/${id}/backfills`, '/items', '/export']) {
    const answers = [await callApi(reader, `${at}${path}`), await callApi(neither, `${at}${path}`)];
    expect({ path, answers: answers.map(({ status }) => status) }).toEqual({ path, answers: [200, 403] });
  }
  const writes: [string, ApiRequest, number][] = [
    ['/settings', { method: 'PATCH', body: { extractionEnabled: false } }, 200],
    ['/goals', { body: { ...GOAL, model: 'loop/wise' } }, 201],
    [`/goals/${id}`, { method: 'PATCH', body: { name: 'Renamed' } }, 200],
    [`/goals/${id}/backfills`, { body: { startMs: 0, endMs: 1 } }, 202],
  ];
  for (const [path, request, status] of writes) {
    const answers = [await callApi(reader, `${at}${path}`, request), await callApi(writer, `${at}${path}`, request)];
    expect({ path, answers: answers.map((answer) => answer.status) }).toEqual({ path, answers: [403, status] });
  }
});
