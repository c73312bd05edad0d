import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Conversation } from '@clew/contracts';
import {
  CONTENT_MODES,
  DIALECTS,
  encodeConversation,
  eventually,
  toOtlpJson,
  toOtlpLogsJson,
  type EncodeOptions,
  type ScriptedConversation,
} from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { callApi } from './support/api.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';
import { whereAre } from './support/whereabouts.ts';

const LONG = { timeoutMs: 60_000 };
/** Parts of what is masked, one for each entry; none of them may be anywhere. */
const CANARIES = ['tamandua.otlp', 'numbat.import', 'quokka.endpoint', 'potoroo.score', 'sk-9xT4bW7'] as const;
const [OTLP, IMPORT, ENDPOINT, SCORE] = CANARIES;
const KEY = `${CANARIES[4]}${'kQ2mZ8vL'.repeat(3)}`;
/** Words of the project that stores structure alone. */
const WORDS = ['bandicoot', 'wombat', 'cassowary', 'dunnart', 'bilby'] as const;
const addressOf = (canary: string) => `${canary}@nest.example`;

const FORMS: readonly Pick<EncodeOptions, 'dialect' | 'content'>[] = [
  ...DIALECTS.map((dialect) => ({ dialect, content: 'attributes' as const })),
  ...CONTENT_MODES.slice(1).map((content) => ({ dialect: 'genai' as const, content })),
];

let provider: ScriptedProvider;
let masking: TestProject;
let structure: TestProject;

beforeAll(async () => {
  provider = await startProvider();
  masking = await privateProject('masking', { masking: { enabled: true } });
  structure = await privateProject('structure', { contentCapture: 'structure' });
}, 120_000);

afterAll(() => provider.stop());

it('what is masked is in no database, queue, file or log, whichever entry it came through', async () => {
  for (const form of FORMS) await tell(masking, `${form.dialect}-${form.content}`, form, addressOf(OTLP), KEY);
  const [imported, called] = [`of-${addressOf(IMPORT)}`, `of-${addressOf(ENDPOINT)}`];
  await importLine(masking, imported, `I am ${addressOf(IMPORT)}, order #W1234567`);
  await chat(masking, called, `I am ${addressOf(ENDPOINT)}`);
  const conversation = await masking.readyConversation('genai-attributes');
  expect(conversation).toMatchObject({ contentCapture: 'full' });
  expect(JSON.stringify(conversation.messages)).toContain('I am [masked email], order #W1234567');
  for (const form of FORMS) {
    const { contentHash } = await masking.readyConversation(`${form.dialect}-${form.content}`);
    expect(contentHash).toBe(conversation.contentHash);
  }
  const score = { name: 'csat', value: 4, source: 'user', comment: `Write to ${addressOf(SCORE)}` };
  expect((await masking.call('/conversations/genai-attributes/scores', { body: score })).status).toBe(201);
  await eventually(async () =>
    expect((await conversations(masking)).map(({ id }) => id.slice(0, 7))).toContain('masked-'),
  );
  await eventually(
    async () => expect(JSON.stringify(await masking.findings())).toContain('masked before it was stored'),
    LONG,
  );
  await eventually(
    async () => expect((await conversations(masking)).every(({ state }) => state === 'ready')).toBe(true),
    LONG,
  );
  expect(await whereAre(...CANARIES)).toEqual(Object.fromEntries(CANARIES.map((canary) => [canary, []])));
}, 300_000);

it('where structure alone is stored, no word is anywhere, and nothing is found in words that are not there', async () => {
  for (const form of FORMS) await tell(structure, `${form.dialect}-${form.content}`, form, WORDS[0], WORDS[1]);
  await importLine(structure, 'imported', `The ${WORDS[2]} again`);
  await chat(structure, 'called', `The ${WORDS[3]} again`);
  const ids = [...FORMS.map(({ dialect, content }) => `${dialect}-${content}`), 'imported', 'called'];
  for (const id of ids) {
    const { contentCapture, messages, preview } = await structure.readyConversation(id);
    expect({ id, contentCapture, preview }).toEqual({ id, contentCapture: 'structure', preview: '' });
    expect(messages.map(({ content }) => content)).toEqual(messages.map(() => ''));
    expect(messages.find(({ role }) => role === 'user')?.length).toBeGreaterThan(10);
  }
  const { messages } = await structure.readyConversation('genai-attributes');
  expect(messages.map(({ role, toolCalls = [] }) => [role, ...toolCalls.map(({ name }) => name)])).toEqual([
    ...[['system'], ['user'], ['assistant', 'find_order'], ['tool'], ['assistant']],
  ]);
  // A score needs no words, and its Finding tells that everything before it has been looked at.
  const score = { name: 'helpful', value: false, source: 'user', comment: `The ${WORDS[4]}` };
  expect((await structure.call('/conversations/called/scores', { body: score })).status).toBe(201);
  await eventually(async () => expect(await structure.findings()).toHaveLength(1), LONG);
  expect(await structure.findings()).toMatchObject([{ metadata: { diagnosticRule: { ruleKey: 'negative_score' } } }]);
  expect(await whereAre(...WORDS)).toEqual(Object.fromEntries(WORDS.map((word) => [word, []])));
}, 300_000);

/** Creates a project with a provider, and resolves once every entry of content goes by its settings. */
async function privateProject(name: string, settings: object): Promise<TestProject> {
  const project = await createTestProject(name);
  const body = { name: 'loop', baseUrl: provider.url };
  expect((await project.call('/models/providers', { body })).status).toBe(201);
  expect((await project.call('/telemetry/settings', { method: 'PATCH', body: settings })).status).toBe(200);
  let tries = 0;
  const isProtected = async (conversationId: string) => {
    const { body: found } = await project.call<Conversation>(`/conversations/${conversationId}`);
    expect(found.messages.length).toBeGreaterThan(0);
    expect(JSON.stringify(found.messages)).not.toContain('probe@nest.example');
  };
  await eventually(async () => {
    tries += 1;
    await importLine(project, `probe-import-${tries}`, 'I am probe@nest.example');
    await chat(project, `probe-call-${tries}`, 'I am probe@nest.example');
    await eventually(() => isProtected(`probe-import-${tries}`), { timeoutMs: 5_000 });
    await eventually(() => isProtected(`probe-call-${tries}`), { timeoutMs: 5_000 });
  }, LONG);
  return project;
}

async function tell(project: TestProject, id: string, form: (typeof FORMS)[number], who: string, secret: string) {
  const script: ScriptedConversation = {
    conversationId: id,
    ...{ agent: 'shop-agent', model: 'gpt-5', userId: `user ${who}` },
    tools: [{ name: 'find_order', parameters: { type: 'object', properties: { owner: { type: 'string' } } } }],
    messages: [
      { role: 'system', content: `You help ${who} in the shop.` },
      { role: 'user', content: `I am ${who}, order #W1234567` },
      { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'find_order', arguments: { owner: who } }] },
      { role: 'tool', content: JSON.stringify({ status: 'sent', owner: who }), toolCallId: 'call_1' },
      { role: 'assistant', content: `It was sent. The key of the shop is ${secret}`, finishReason: 'stop' },
    ],
  };
  const told = encodeConversation(script, { ...form, startMs: Date.now() - 60_000, idSeed: `${project.id}-${id}` });
  const calls = [['/v1/traces', toOtlpJson(told)] as const, ['/v1/logs', toOtlpLogsJson(told)] as const];
  for (const [path, body] of calls) {
    const { status } = await callApi(project.apiKey, path, { body });
    expect(status).toBe(200);
  }
}

async function importLine(project: TestProject, id: string, content: string): Promise<void> {
  const { status } = await project.call('/conversations/import', {
    headers: { 'content-type': 'application/x-ndjson' },
    body: JSON.stringify({ id, messages: [{ role: 'user', content }] }),
  });
  expect(status).toBe(200);
}

async function chat(project: TestProject, conversationId: string, content: string): Promise<void> {
  const { status } = await callApi(project.apiKey, '/v1/chat/completions', {
    headers: { 'x-conversation-id': conversationId },
    body: { model: 'loop/tiny-chat', messages: [{ role: 'user', content }] },
  });
  expect(status).toBe(200);
}

async function conversations(project: TestProject): Promise<Conversation[]> {
  return (await project.call<{ conversations: Conversation[] }>('/conversations?limit=500')).body.conversations;
}
