import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EngineInstallation, RuntimeActivity } from '@clew/contracts';
import { eventually } from '@clew/testing';
import OpenAI, { toFile } from 'openai';
import { callApi } from './support/api.ts';
import { modelRuntimeOf, shareOfWords, spoken, whyNoPackageRegistry } from './support/model-runtime.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const MINUTE = 60_000;
const CHAT_MODEL = 'smollm2-135m-instruct';
const SPEECH_MODEL = 'whisper-tiny.en';
const SENTENCE = 'Please send the invoice to my new address before the end of the month.';

let missing: string | undefined;
let project: TestProject;

beforeAll(async () => {
  missing = await whyNoPackageRegistry();
  project = await createTestProject('model runtime');
}, 2 * MINUTE);

/** Whether the test cannot run here; prints the reason. */
function skipped(): boolean {
  if (missing !== undefined) process.stderr.write(`SKIPPED: real engines are not tried, ${missing}\n`);
  return missing !== undefined;
}

function client(): OpenAI {
  return new OpenAI({
    apiKey: project.apiKey,
    baseURL: new URL('/v1', runningStack().gatewayUrl).href,
    timeout: 2 * MINUTE,
  });
}

/** Installs engine and model from scratch, and returns once the service is ready. */
async function bringUp(engine: string, modelId: string): Promise<string> {
  const runtime = modelRuntimeOf(project);
  const install = { method: 'POST' };
  const installed = await project.call<EngineInstallation>(`/models/engines/${engine}/installations`, install);
  expect([200, 202]).toContain(installed.status);
  const profile = `/models/${modelId}/profiles/${await runtime.profileOf(modelId)}`;
  await runtime.untilEngine(engine, 'ready', 5 * MINUTE);
  expect(await project.call(`/models/engines/${engine}/installations`, { method: 'POST' })).toMatchObject({
    status: 200,
    body: { engine, state: 'ready', generation: installed.body.generation },
  });
  expect(await project.call(`${profile}/service`, { method: 'PUT' })).toMatchObject({
    status: 409,
    body: { code: 'ARTIFACT_NOT_DOWNLOADED' },
  });
  expect([200, 202]).toContain((await project.call(`${profile}/downloads`, { method: 'POST' })).status);
  const download = await runtime.untilDownload(modelId, 'completed', 5 * MINUTE);
  expect(download.bytesDone).toBeGreaterThan(70_000_000);
  expect([200, 202]).toContain((await project.call(`${profile}/service`, { method: 'PUT' })).status);
  await runtime.untilService(modelId, 'ready', 3 * MINUTE);
  const { body } = await project.call<{ activity: RuntimeActivity[] }>('/models/activity');
  const service = body.activity.find(({ kind }) => kind === 'service');
  expect(service).toMatchObject({ modelId, engine, state: 'ready', generation: expect.any(Number) });
  expect(service).toHaveProperty('log', expect.arrayContaining([expect.any(String)]));
  return profile;
}

/** Removes everything, and returns once nothing is left. */
async function takeDown(of: TestProject, engine: string, modelId: string, profile: string): Promise<void> {
  const runtime = modelRuntimeOf(of);
  const remove = async (path: string) => (await of.call(path, { method: 'DELETE' })).status;
  // 202 while the node removes it; 204 at once if another project keeps it.
  const removed = (path: string) =>
    eventually(async () => expect(await remove(path)).toBe(204), { timeoutMs: MINUTE, intervalMs: 200 });
  expect([202, 204]).toContain(await remove(`${profile}/service`));
  await runtime.untilService(modelId, 'stopped', MINUTE);
  await removed(profile);
  await removed(`/models/engines/${engine}`);
  await runtime.untilEngine(engine, 'not_installed', MINUTE);
  expect((await runtime.snapshot()).downloads.filter((download) => download.modelId === modelId)).toEqual([]);
}

/** Resources that another project has ready are available at once to a project that asks for them. */
async function share(of: TestProject, engine: string, profile: string): Promise<void> {
  const ready = { status: 200, body: { state: 'ready' } };
  expect(await of.call(`/models/engines/${engine}/installations`, { method: 'POST' })).toMatchObject(ready);
  expect(await of.call(`${profile}/downloads`, { method: 'POST' })).toMatchObject({
    status: 200,
    body: { state: 'completed' },
  });
  expect(await of.call(`${profile}/service`, { method: 'PUT' })).toMatchObject(ready);
}

const trialOf = (path: string, body: object) => ({ path, contentType: 'application/json', body });

describe('a language model on llama.cpp, from the package registry alone', () => {
  let profile: string | undefined;

  afterAll(async () => {
    if (profile !== undefined) await project.call(profile, { method: 'DELETE' });
  });

  it(
    'is installed, fetched, started, asked in every way, recorded as a conversation, shared, stopped and removed',
    async () => {
      if (skipped()) return;
      profile = await bringUp('llama.cpp', CHAT_MODEL);
      const model = `self/${CHAT_MODEL}`;
      const messages = [{ role: 'user' as const, content: 'What is the capital of France? Answer briefly.' }];

      const plain = await project.call<{ choices: { message: { content: string } }[] }>(`${profile}/trials`, {
        body: trialOf('/v1/chat/completions', { model, messages, max_tokens: 12, temperature: 0 }),
      });
      expect(plain.status).toBe(200);
      expect(plain.body.choices[0]?.message.content).toMatch(/Paris/);

      const streamed = await project.call<string>(`${profile}/trials`, {
        body: trialOf('/v1/chat/completions', { model, messages, max_tokens: 8, stream: true }),
      });
      expect(streamed.headers.get('content-type')).toMatch(/^text\/event-stream/);
      expect(streamed.body.match(/^data: /gm)?.length).toBeGreaterThan(3);
      expect(streamed.body).toContain('data: [DONE]');

      const schema = {
        type: 'object',
        properties: { city: { type: 'string', maxLength: 20 }, isCapital: { type: 'boolean' } },
        required: ['city', 'isCapital'],
        additionalProperties: false,
      };
      const structured = await project.call<{ choices: { message: { content: string } }[] }>(`${profile}/trials`, {
        body: trialOf('/v1/chat/completions', {
          ...{ model, messages, max_tokens: 60, temperature: 0 },
          response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
        }),
      });
      expect(structured).toMatchObject({ status: 200, body: { choices: [{ message: {} }] } });
      expect(JSON.parse(structured.body.choices[0]?.message.content ?? '')).toEqual({
        city: expect.any(String),
        isCapital: expect.any(Boolean),
      });

      const answer = await client().chat.completions.create(
        { model, messages, max_tokens: 12, temperature: 0 },
        { headers: { 'x-conversation-id': 'local-model-chat' } },
      );
      const content = answer.choices[0]?.message.content ?? '';
      expect(content).toMatch(/Paris/);
      const conversation = await project.readyConversation('local-model-chat');
      expect(conversation.messages.map(({ role, content: text }) => ({ role, content: text }))).toEqual([
        messages[0],
        { role: 'assistant', content },
      ]);

      const other = await createTestProject('shares the model');
      await share(other, 'llama.cpp', profile);
      await takeDown(project, 'llama.cpp', CHAT_MODEL, profile);
      const shared = { body: trialOf('/v1/chat/completions', { model, messages, max_tokens: 4 }) };
      expect(await project.call(`${profile}/trials`, shared)).toMatchObject({ status: 409 });
      expect(await other.call(`${profile}/trials`, shared)).toMatchObject({ status: 200 });
      await takeDown(other, 'llama.cpp', CHAT_MODEL, profile);
      profile = undefined;
      await expect(client().chat.completions.create({ model, messages })).rejects.toMatchObject({ status: 409 });
    },
    15 * MINUTE,
  );
});

describe('a speech model on faster-whisper, from the package registry alone', () => {
  it(
    'writes down a spoken sentence, as a multipart trial and through /v1/audio/transcriptions',
    async () => {
      if (skipped()) return;
      const recording = await spoken(SENTENCE);
      if (recording === undefined) {
        process.stderr.write('SKIPPED: nothing is transcribed, espeak-ng is not installed\n');
        return;
      }
      const profile = await bringUp('faster-whisper', SPEECH_MODEL);
      const model = `self/${SPEECH_MODEL}`;

      const form = new FormData();
      form.set('file', new Blob([recording], { type: 'audio/wav' }), 'sentence.wav');
      form.set('model', model);
      form.set('path', '/v1/audio/transcriptions');
      form.set('contentType', 'multipart/form-data');
      const url = new URL(`/v1/projects/${project.id}${profile}/trials`, runningStack().gatewayUrl);
      const headers = { authorization: `Bearer ${project.apiKey}` };
      const trial = await fetch(url, { method: 'POST', headers, body: form });
      expect(trial.status).toBe(200);
      const { text } = (await trial.json()) as { text: string };
      expect(shareOfWords(SENTENCE, text)).toBeGreaterThanOrEqual(0.8);

      const file = {
        filename: 'sentence.wav',
        contentType: 'audio/wav',
        base64: Buffer.from(recording).toString('base64'),
      };
      const asJson = await callApi<{ text: string }>(project.apiKey, `/v1/projects/${project.id}${profile}/trials`, {
        body: { path: '/v1/audio/transcriptions', contentType: 'multipart/form-data', body: { model, file } },
      });
      expect(asJson).toMatchObject({ status: 200, body: { text } });

      const transcription = await client().audio.transcriptions.create({
        model,
        file: await toFile(recording, 'sentence.wav', { type: 'audio/wav' }),
      });
      expect(shareOfWords(SENTENCE, transcription.text)).toBeGreaterThanOrEqual(0.8);

      await takeDown(project, 'faster-whisper', SPEECH_MODEL, profile);
    },
    15 * MINUTE,
  );
});
