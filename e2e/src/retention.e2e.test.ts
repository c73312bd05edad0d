import { expect, it } from '@jest/globals';
import type { RetentionStates } from '@clew/contracts';
import { encodeConversation, eventually, toOtlpJson } from '@clew/testing';
import { callApi } from './support/api.ts';
import { failingToolConversation } from './support/conversations.ts';
import { withMongo } from './support/database.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';
import { whereAre } from './support/whereabouts.ts';

const DAY_MS = 86_400_000;
const LONG = { timeoutMs: 60_000 };
/** Words of the conversation that do not belong to the problem: in messages and in a comment. */
const WORDS = ['tamandua', 'tapirus', 'capybara'] as const;
/** Text that the Finding quotes. */
const QUOTED = '503 from the stable';

it('expired text is nowhere any more but in quotes, and what expires as a whole is gone', async () => {
  const project = await createTestProject('retention');
  await tell(project);
  await project.readyConversation('old');
  const score = { name: 'helpful', value: true, source: 'user', comment: WORDS[2] };
  expect((await project.call('/conversations/old/scores', { body: score })).status).toBe(201);
  await eventually(async () => expect(await project.findings()).toHaveLength(1), LONG);
  const before = await whereAre(...WORDS);
  for (const word of WORDS) expect(before[word]).not.toEqual([]);

  await becomeOlder(project, 31);
  await swept(project, 'rawPayload');
  const { [QUOTED]: quoted, ...others } = await whereAre(QUOTED, ...WORDS);
  expect(others).toEqual(Object.fromEntries(WORDS.map((word) => [word, []])));
  expect(new Set(quoted.map((place) => place.split('.')[0]))).toEqual(new Set(['clew_diagnostics']));
  const { messages } = await project.readyConversation('old');
  expect(messages.map(({ content }) => content)).toEqual(messages.map(() => ''));
  expect(await project.findings()).toHaveLength(1);

  await becomeOlder(project, 60);
  await swept(project, 'telemetry');
  expect((await project.call('/conversations/old')).status).toBe(404);
  const [finding] = await project.findings();
  expect(JSON.stringify(finding)).toContain(QUOTED);
}, 600_000);

async function tell(project: TestProject): Promise<void> {
  const failing = failingToolConversation('old');
  const messages = failing.messages.map((message) => ({
    ...message,
    ...(message.role === 'tool' ? { content: `Error: ${QUOTED}` } : {}),
  }));
  const aside = [
    { role: 'user' as const, content: `Do you like the ${WORDS[0]}?` },
    { role: 'assistant' as const, content: `The ${WORDS[1]} is my favourite.`, finishReason: 'stop' as const },
  ];
  const told = encodeConversation(
    { ...failing, messages: [...messages, ...aside] },
    { dialect: 'genai', startMs: Date.now() - 60_000, idSeed: 'old' },
  );
  const { status } = await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(told) });
  expect(status).toBe(200);
}

/** Moves the stored data of a project into the past. */
async function becomeOlder(project: TestProject, days: number): Promise<void> {
  await withMongo(async (connection) => {
    const db = connection.getClient().db('clew_telemetry');
    const stored = { projectId: project.id };
    const earlier = (field: string) => [{ $set: { [field]: { $subtract: [`$${field}`, days * DAY_MS] } } }];
    for (const name of ['trace_fragments', 'fragment_contents', 'conversations']) {
      await db.collection(name).updateMany(stored, earlier('receivedAt'));
    }
    for (const name of ['snapshots', 'snapshot_chunks', 'scores']) {
      await db.collection(name).updateMany(stored, earlier('createdAt'));
    }
  });
}

/** Starts retention, and resolves once a mechanism has no backlog. */
async function swept(project: TestProject, mechanism: keyof RetentionStates): Promise<void> {
  const sinceMs = Date.now();
  const settings = { method: 'PATCH', body: { telemetryRetentionDays: 90 } };
  expect((await project.call('/telemetry/settings', settings)).status).toBe(200);
  await eventually(async () => {
    const { body } = await project.call<{ retention: RetentionStates }>('/telemetry/retention');
    expect(body.retention[mechanism]).toMatchObject({ backlog: 0 });
    expect(body.retention[mechanism].lastRunAt).toBeGreaterThan(sinceMs);
  }, LONG);
}
