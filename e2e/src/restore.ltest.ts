import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Conversation, Dataset, Finding, ProviderTest } from '@clew/contracts';
import { withTemporaryStack } from '@clew/stack';
import { encodeConversation, eventually, toOtlpJson } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { callApi } from './support/api.ts';
import { failingToolConversation } from './support/conversations.ts';
import { createTestDataset } from './support/datasets.ts';
import { commandsOf, runCommands } from './support/operators-commands.ts';
import { runningStack, stackHome } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const START_TIMEOUT_MS = 900_000;
const FINDING_TIMEOUT_MS = 120_000;
const [backUp = [], restore = []] = commandsOf('backup.md');

const folder = mkdtempSync(join(tmpdir(), 'clew-restore-'));
const backup = join(folder, 'backup');

/** State of the system at the time of the backup, as the API returned it. */
interface Before {
  project: TestProject;
  conversation: Conversation;
  findings: Finding[];
  datasets: Dataset[];
  /** Cursor of the list of Datasets, after the first one. */
  cursor: string;
  /** Secrets, which are kept apart from the backup. */
  secrets: { authSecret: string; keys: unknown };
}

let loopback: ScriptedProvider;
let before: Before;

beforeAll(async () => {
  loopback = await startProvider({ apiKey: 'sk-kept-secret' });
  before = await withTemporaryStack({}, async ({ env }) => {
    process.env['CLEW_HOME'] = env['CLEW_HOME'];
    return await fillAndBackUp();
  });
}, START_TIMEOUT_MS);
afterAll(async () => {
  await loopback.stop();
  rmSync(folder, { recursive: true });
});

async function fillAndBackUp(): Promise<Before> {
  const project = await createTestProject('kept');
  await send(project, 'kept');
  const findings = await eventually(() => foundIn(project, 1), { timeoutMs: FINDING_TIMEOUT_MS });
  const conversation = await project.readyConversation('kept');
  const provider = { name: 'loop', baseUrl: loopback.url, apiKey: 'sk-kept-secret' };
  expect((await project.call('/models/providers', { body: provider })).status).toBe(201);
  const datasets = [(await createTestDataset(project)).dataset, (await createTestDataset(project)).dataset];
  const { body } = await project.call<{ nextCursor: string }>('/datasets?limit=1');
  const files = { MONGO_URL: runningStack().mongoUrl, DBPATH: join(stackHome(), 'mongo'), BACKUP: backup };
  await runCommands(backUp, files);
  await createTestDataset(project, { name: 'made after the backup' });
  const secrets = JSON.parse(readFileSync(join(stackHome(), 'secrets.json'), 'utf8')) as Before['secrets'];
  return { project, conversation, findings, datasets, cursor: body.nextCursor, secrets };
}

async function send(project: TestProject, conversationId: string): Promise<void> {
  const script = failingToolConversation(conversationId);
  const options = { dialect: 'genai', startMs: Date.now() - 60_000, idSeed: conversationId } as const;
  const { spans } = encodeConversation(script, options);
  const { status } = await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson({ spans, logs: [] }) });
  expect(status).toBe(200);
}

async function foundIn(project: TestProject, conversations: number): Promise<Finding[]> {
  const findings = await project.findings();
  expect(findings.map(({ occurrenceCount }) => occurrenceCount)).toEqual([conversations]);
  return findings;
}

/** Starts a stack with the restored files, an empty broker and the given secret. */
function withRestored(authSecret: string, use: () => Promise<void>): Promise<void> {
  return withTemporaryStack(
    {},
    async ({ env }) => {
      process.env['CLEW_HOME'] = env['CLEW_HOME'];
      await use();
    },
    async (home) => {
      await runCommands(restore, { DBPATH: join(home, 'mongo'), BACKUP: backup });
      writeFileSync(join(home, 'secrets.json'), JSON.stringify({ ...before.secrets, authSecret }), { mode: 0o600 });
    },
  );
}

describe('a backup, restored as the handbook says', () => {
  it(
    'under another AUTH_SECRET opens to no key, and says why in the log of the gateway',
    () =>
      withRestored(randomBytes(48).toString('base64url'), async () => {
        expect(await before.project.call('/datasets')).toMatchObject({ status: 401 });
        const log = readFileSync(join(stackHome(), 'logs/gateway.log'), 'utf8');
        expect(log).toContain('were made under another AUTH_SECRET');
      }),
    START_TIMEOUT_MS,
  );

  it(
    'under the AUTH_SECRET of its time holds what it held, and works',
    () =>
      withRestored(before.secrets.authSecret, async () => {
        const { project, conversation, findings, datasets, cursor } = before;
        expect((await project.call('/conversations/kept')).body).toEqual(conversation);
        expect(await project.findings()).toEqual(findings);
        const { body: listed } = await project.call<{ datasets: Dataset[] }>('/datasets');
        expect(listed.datasets.map(({ id }) => id).toSorted()).toEqual(datasets.map(({ id }) => id).toSorted());
        const { body: rest } = await project.call<{ datasets: Dataset[] }>(`/datasets?limit=1&cursor=${cursor}`);
        expect(rest.datasets.map(({ id }) => id)).toEqual([listed.datasets[1]?.id]);
        const tried = await project.call<ProviderTest>('/models/providers/loop/test', { method: 'POST' });
        expect(tried.body).toMatchObject({ ok: true, reason: null });
        await send(project, 'sent after the restore');
        await eventually(() => foundIn(project, 2), { timeoutMs: FINDING_TIMEOUT_MS });
        expect(readFileSync(join(stackHome(), 'logs/gateway.log'), 'utf8')).not.toContain('another AUTH_SECRET');
      }),
    START_TIMEOUT_MS,
  );
});
