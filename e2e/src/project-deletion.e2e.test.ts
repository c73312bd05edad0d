import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Dataset, ProjectErasure } from '@clew/contracts';
import { encodeConversation, eventually, toOtlpJson } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { callApi } from './support/api.ts';
import { killAndAwaitRecovery } from './support/chaos.ts';
import { failingToolConversation } from './support/conversations.ts';
import { importTaught, itemsOf, newGoal, extractionModel, requestBackfill } from './support/knowledge-model.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';
import { whereAre } from './support/whereabouts.ts';

const LONG = { timeoutMs: 60_000 };
let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startProvider({ models: ['wise'], reply: extractionModel() });
});

afterAll(() => provider.stop());

/** Collections that may still name a deleted project: records of its existence, which hold ids only. */
const MAY_NAME_IT = [
  'clew_gateway.api_keys',
  'clew_gateway.audit',
  'clew_gateway.project_erasures',
  'clew_telemetry.tombstones',
  'clew_diagnostics.tombstones',
];
/** Places that expire by themselves and hold ids only: records of requests and messages, and logs. */
const GOES = /\.(?:idempotency_keys|inbox|outbox)$|^logs\//;

it('the deletion of a project leaves nothing of it in any service, and other projects as they are', async () => {
  const [gone, kept, killed] = await Promise.all([
    filled('gone', 'okapi'),
    filled('kept', 'bongo'),
    filled('killed', 'quokka'),
  ]);
  const before = await stateOf(kept);

  const { adminApiKey } = runningStack();
  const deletion = ({ id }: TestProject) =>
    callApi<{ erasureId: string }>(adminApiKey, `/v1/projects/${id}`, { method: 'DELETE' });
  const askedBeforeKill = await deletion(killed);
  await killAndAwaitRecovery({ kind: 'app', name: 'gateway' });
  const asked = await deletion(gone);
  expect(asked.status).toBe(202);
  expect(await deletion(gone)).toMatchObject({ status: 202, body: asked.body });
  await eventually(async () => expect((await gone.call('/conversations')).status).toBe(401));
  expect((await callApi(adminApiKey, `/v1/projects/${gone.id}/conversations`)).status).toBe(404);

  const receiptOf = ({ headers }: typeof asked) =>
    eventually(async () => {
      const { body } = await callApi<ProjectErasure>(adminApiKey, headers.get('location') ?? '');
      expect(body.status).toBe('completed');
      return body;
    }, LONG);
  const receipt = await receiptOf(asked);
  expect(receipt).toMatchObject({
    ...{ id: asked.body.erasureId, projectId: gone.id },
    services: {
      telemetry: { conversations: 2 },
      diagnostics: { findings: 1 },
      datasets: { datasets: 1, examples: 1 },
      knowledge: { goals: 1, items: 1 },
      models: { providers: 1 },
    },
  });
  // Another process has completed the work of the killed one.
  expect(await receiptOf(askedBeforeKill)).toMatchObject({ projectId: killed.id });
  const { okapi, quokka, [gone.id]: naming = [], bongo } = await whereAre('okapi', 'quokka', 'bongo', gone.id);
  expect({ okapi, quokka }).toEqual({ okapi: [], quokka: [] });
  expect(naming.filter((name) => !GOES.test(name) && !MAY_NAME_IT.includes(name))).toEqual([]);
  // The same search finds the words of the kept project.
  expect(bongo).toEqual(
    expect.arrayContaining(['clew_datasets.examples', 'clew_knowledge.items', 'clew_telemetry.conversations']),
  );
  expect(await stateOf(kept)).toEqual(before);
}, 600_000);

/** Project that holds data in every service, each containing the project's own word. */
async function filled(name: string, word: string): Promise<TestProject> {
  const project = await createTestProject(name);
  const added = await project.call('/models/providers', { body: { name: 'loop', baseUrl: provider.url } });
  expect(added.status).toBe(201);
  const told = encodeConversation(failingToolConversation(`order-${word}`), {
    ...{ dialect: 'genai', startMs: Date.now() - 60_000, idSeed: word },
  });
  expect((await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(told) })).status).toBe(200);
  await importTaught(project, { taught: `${word} are fed at nine` });
  await project.readyConversation('taught');
  await project.readyConversation(`order-${word}`);
  const score = { name: 'helpful', value: true, source: 'user', comment: word };
  expect((await project.call('/conversations/taught/scores', { body: score })).status).toBe(201);
  const goalId = await newGoal(project);
  const headers = { 'idempotency-key': word };
  const dataset = await project.call<Dataset>('/datasets', {
    body: { name: word, schema: { type: 'chat', version: 1 } },
    headers,
  });
  const source = { kind: 'manual', externalRef: word };
  const payload = { input: { type: 'text', text: `What do ${word} eat?` } };
  const made = await project.call(`/datasets/${dataset.body.id}/examples`, { body: { source, payload } });
  expect(made.status).toBe(201);
  await requestBackfill(project, goalId, { startMs: 0, endMs: Date.now() + 86_400_000 });
  await eventually(async () => {
    expect(await itemsOf(project)).toHaveLength(1);
    expect(await project.findings()).toHaveLength(1);
    // The conversation hears of its Finding a little later.
    const { body } = await project.call<{ conversations: { findingCount: number }[] }>(
      '/conversations?hasFinding=true',
    );
    expect(body.conversations).toMatchObject([{ findingCount: 1 }]);
  }, LONG);
  // The score has made it active again for a while.
  await project.readyConversation('taught');
  return project;
}

async function stateOf(project: TestProject): Promise<unknown> {
  const paths = ['/conversations', '/datasets', '/knowledge/goals', '/models/providers', '/diagnostics/settings'];
  const answers = [];
  for (const path of paths) answers.push((await project.call(path)).body);
  return [answers, await itemsOf(project), (await project.findings()).map(({ id }) => id)];
}
