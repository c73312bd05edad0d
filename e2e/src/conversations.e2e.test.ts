import { describe, expect, it } from '@jest/globals';
import type { Conversation } from '@clew/contracts';
import { CONTENT_MODES, DIALECTS, encodeConversation, toOtlpJson, toOtlpLogsJson } from '@clew/testing';
import { callApi } from './support/api.ts';
import { cleanConversation } from './support/conversations.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const variants = [
  ...DIALECTS.map((dialect) => ({ dialect, content: 'attributes' as const })),
  ...CONTENT_MODES.filter((mode) => mode !== 'attributes').map((content) => ({ dialect: 'genai' as const, content })),
];

describe('conversations from OTLP', () => {
  it('the same conversation in every dialect has the same content hash, and each message once, in order', async () => {
    const project = await createTestProject('dialects');
    const script = cleanConversation('dialects');
    const startMs = Date.now() - 60_000;
    for (const { dialect, content } of variants) {
      const conversationId = `${dialect}-${content}`;
      const told = encodeConversation(
        { ...script, conversationId },
        { dialect, content, startMs, idSeed: conversationId },
      );
      await send(project, '/v1/traces', toOtlpJson(told));
      if (told.logs.length > 0) await send(project, '/v1/logs', toOtlpLogsJson(told));
    }
    const conversations = await Promise.all(
      variants.map(({ dialect, content }) => project.readyConversation(`${dialect}-${content}`)),
    );
    const expected = script.messages.map(({ role, content }) => ({ role, content }));
    for (const conversation of conversations) {
      expect({
        id: conversation.id,
        messages: conversation.messages.map(({ role, content }) => ({ role, content })),
      }).toEqual({
        id: conversation.id,
        messages: expected,
      });
    }
    expect(new Set(conversations.map(({ contentHash }) => contentHash)).size).toBe(1);
  });

  it('spans sent again, shuffled and late change nothing', async () => {
    const project = await createTestProject('repeats');
    const told = encodeConversation(cleanConversation('repeats'), {
      dialect: 'genai',
      startMs: Date.now() - 60_000,
      idSeed: 'repeats',
    });
    await send(project, '/v1/traces', toOtlpJson(told));
    const before = await project.readyConversation('repeats');
    for (const span of [...told.spans].reverse()) {
      await send(project, '/v1/traces', toOtlpJson({ spans: [span], logs: [] }));
    }
    const after = await project.readyConversation('repeats');
    expect(after).toEqual(before);
  });

  it('an import of message lists becomes conversations, and names the lines that it refused', async () => {
    const project = await createTestProject('import');
    const line = (id: string) => JSON.stringify({ id, messages: [{ role: 'user', content: `Hello from ${id}` }] });
    const { status, body } = await project.call('/conversations/import', {
      headers: { 'content-type': 'application/x-ndjson' },
      body: [line('first'), '{"messages": 1}', 'not json', line('second')].join('\n'),
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ imported: 2, refusedCount: 2, refused: [{ line: 2 }, { line: 3 }] });
    expect((await project.readyConversation('second')).messages).toMatchObject([
      { role: 'user', content: 'Hello from second' },
    ]);
  });

  it('a score is shown with its conversation', async () => {
    const project = await createTestProject('scores');
    await send(
      project,
      '/v1/traces',
      toOtlpJson(
        encodeConversation(cleanConversation('scored'), { dialect: 'genai', startMs: Date.now(), idSeed: 'scored' }),
      ),
    );
    await project.readyConversation('scored');
    const score = { name: 'thumbs', value: true, source: 'user' };
    expect((await project.call('/conversations/scored/scores', { body: score })).status).toBe(201);
    const { body } = await project.call<Conversation>('/conversations/scored');
    expect(body.scores).toMatchObject([score]);
  });
});

async function send(project: TestProject, path: string, body: unknown): Promise<void> {
  const response = await callApi(project.apiKey, path, { body });
  expect(response.status).toBe(200);
  expect(response.body).toEqual({});
}
