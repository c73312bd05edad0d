import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Conversation } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { startProvider, type ChatRequest, type ScriptedProvider } from '@clew/testing/provider';
import OpenAI, { APIError, toFile } from 'openai';
import { callApi } from './support/api.ts';
import { runningStack } from './support/stack.ts';
import { createKey, createTestProject, type TestProject } from './support/test-project.ts';

let provider: ScriptedProvider;
let project: TestProject;
let client: OpenAI;

const openAi = (apiKey: string) =>
  new OpenAI({ apiKey, baseURL: new URL('/v1', runningStack().gatewayUrl).href, maxRetries: 0 });

beforeAll(async () => {
  provider = await startProvider({ apiKey: 'sk-provider' });
  project = await createTestProject('inference');
  const created = await project.call('/models/providers', {
    body: { name: 'loop', baseUrl: provider.url, apiKey: 'sk-provider' },
  });
  expect(created.status).toBe(201);
  client = openAi(project.apiKey);
});

afterAll(() => provider.stop());

const MODEL = 'loop/tiny-chat';

describe('the official OpenAI client, with only its base URL and key changed', () => {
  it('chats', async () => {
    const answer = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(answer.choices[0]?.message.content).toBe('You said: Hello');
    expect(answer.usage?.total_tokens).toBeGreaterThan(0);
  });

  it('streams', async () => {
    const messages = [{ role: 'user' as const, content: 'one two three' }];
    const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true });
    const pieces: string[] = [];
    for await (const chunk of stream) pieces.push(chunk.choices[0]?.delta.content ?? '');
    expect(pieces.join('')).toBe('You said: one two three');
    expect(pieces.length).toBeGreaterThan(3);
  });

  it('gets JSON by a schema, and calls of tools', async () => {
    const schema = { type: 'object', properties: { colour: { type: 'string', enum: ['red'] } } };
    const parsed = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: 'Which colour?' }],
      response_format: { type: 'json_schema', json_schema: { name: 'colour', schema, strict: true } },
    });
    expect(JSON.parse(parsed.choices[0]?.message.content ?? '')).toEqual({ colour: 'red' });
    const called = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: 'Add' }],
      tools: [{ type: 'function', function: { name: 'add', parameters: { type: 'object', properties: {} } } }],
      tool_choice: 'required',
    });
    expect(called.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: 'add', arguments: '{}' } });
  });

  it('embeds, transcribes, completes and lists models', async () => {
    const embedded = await client.embeddings.create({ model: 'loop/tiny-embedding', input: ['a', 'b'] });
    expect(embedded.data.map(({ embedding }) => embedding.length)).toEqual([8, 8]);
    const bytes = Buffer.alloc(2_000_000, 7);
    const file = await toFile(bytes, 'speech.wav');
    const heard = await client.audio.transcriptions.create({ model: 'loop/tiny-whisper', file });
    expect(heard.text).toBe(`speech.wav ${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`);
    const completed = await client.completions.create({ model: MODEL, prompt: 'Once' });
    expect(completed.choices[0]?.text).toBe('Once and so on');
    const listed = await client.models.list();
    expect(listed.data.map(({ id }) => id)).toContain(MODEL);
  });

  it('reads errors as it reads those of the OpenAI API', async () => {
    const ask = (model: string) =>
      client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Say no' }] });
    await expect(ask('nobody/model')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    provider.script({ about: 'Say no', status: 400 });
    await expect(ask(MODEL)).rejects.toMatchObject({ status: 400, code: 'loopback_400' });
    provider.script({ about: 'Break off', text: 'it breaks off', cutAfter: 2 });
    const stream = await client.chat.completions.create({
      ...{ model: MODEL, stream: true },
      messages: [{ role: 'user', content: 'Break off' }],
    });
    const read = async () => {
      for await (const chunk of stream) expect(chunk.choices).toBeDefined();
    };
    await expect(read()).rejects.toBeInstanceOf(APIError);
    const foreign = await createKey(project.id, { name: 'no inference', scopes: ['workspace:read'] });
    const models = openAi(foreign.secret).models.list();
    await expect(models).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('gives Clew one conversation for a chat of ten turns, without a word changed', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: 'Be brief' }];
    for (let turn = 0; turn < 10; turn += 1) {
      messages.push({ role: 'user', content: `Ten turns, number ${turn}` });
      const answer = await client.chat.completions.create({ model: MODEL, messages });
      messages.push(answer.choices[0]?.message as OpenAI.ChatCompletionMessageParam);
    }
    const conversation = await conversationOf('Ten turns, number 9');
    expect(conversation.messages.map(({ role, content }) => ({ role, content }))).toEqual(
      messages.map(({ role, content }) => ({ role, content })),
    );
  });
});

describe('a call through the gateway', () => {
  it('belongs to the conversation that it names', async () => {
    const messages = [{ role: 'user' as const, content: 'Named' }];
    const headers = { 'x-conversation-id': 'named-by-header' };
    await client.chat.completions.create({ model: MODEL, messages }, { headers });
    const conversation = await project.readyConversation('named-by-header');
    expect(conversation.messages.map(({ content }) => content)).toEqual(['Named', 'You said: Named']);
  });

  it('belongs to the conversation that its metadata name', async () => {
    const messages = [{ role: 'user' as const, content: 'In the metadata' }];
    await client.chat.completions.create({
      model: MODEL,
      messages,
      metadata: { conversation_id: 'named-by-metadata' },
    });
    const conversation = await project.readyConversation('named-by-metadata');
    expect(conversation.messages[0]).toMatchObject({ role: 'user', content: 'In the metadata' });
  });

  it('is tried again while the provider is busy or fails, as long as nothing was passed on', async () => {
    provider.requests.length = 0;
    const soon = { about: 'Try again', headers: { 'retry-after': '0' } };
    provider.script({ ...soon, status: 429 }, { ...soon, status: 503 });
    const answer = await client.chat.completions.create({
      ...{ model: MODEL, stream: true },
      messages: [{ role: 'user', content: 'Try again' }],
    });
    const pieces: string[] = [];
    for await (const chunk of answer) pieces.push(chunk.choices[0]?.delta.content ?? '');
    expect(pieces.join('')).toBe('You said: Try again');
    expect(provider.requests.filter(({ body }) => isAbout(body, 'Try again'))).toHaveLength(3);
  });

  it('is cancelled at the provider when the caller goes away', async () => {
    provider.requests.length = 0;
    provider.script({ about: 'Never mind', text: 'a long answer that nobody waits for', chunkDelayMs: 200 });
    const messages = [{ role: 'user' as const, content: 'Never mind' }];
    const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true });
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content !== '') break;
    }
    await eventually(() => {
      const asked = provider.requests.find(({ body }) => isAbout(body, 'Never mind'));
      expect(asked?.aborted).toBe(true);
    });
  });

  it('that another project could make is no business of this key', async () => {
    const { otherProjectId } = runningStack();
    const headers = { 'x-clew-project': otherProjectId };
    const answer = await callApi(project.apiKey, '/v1/models', { headers });
    expect(answer.status).toBe(404);
  });

  it('that leaves no trace of its credentials anywhere in the answer', async () => {
    const answer = await project.call('/models/providers');
    expect(JSON.stringify(answer.body)).not.toContain('sk-provider');
    expect(answer.body).toMatchObject({ providers: [{ name: 'loop', hasApiKey: true }] });
  });
});

function isAbout(body: unknown, words: string): boolean {
  return JSON.stringify((body as ChatRequest | undefined)?.messages ?? []).includes(words);
}

/** The only ready conversation whose last question holds the words. */
async function conversationOf(words: string): Promise<Conversation> {
  const ids = await eventually(
    async () => {
      const { body } = await project.call<{ conversations: { id: string }[] }>(
        `/conversations?q=${encodeURIComponent(words)}`,
      );
      if (body.conversations.length === 0) throw new Error('not there yet');
      return body.conversations.map(({ id }) => id);
    },
    { timeoutMs: 30_000 },
  );
  expect(ids).toHaveLength(1);
  return await project.readyConversation(ids[0] as string);
}
