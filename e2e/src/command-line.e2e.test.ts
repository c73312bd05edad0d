import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { runningStack } from './support/stack.ts';
import { createTestProject, deleteProject, type TestProject } from './support/test-project.ts';

const MAIN = join(import.meta.dirname, '../../libs/cli/src/main.ts');
const CONVERSATIONS = 200;
const PATIENCE_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'clew-command-line-'));
let project: TestProject;

beforeAll(async () => {
  project = await createTestProject('command line');
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await deleteProject(project);
});

interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** Runs the command line as a program of its own, as a person who has only this folder. */
function clew(
  args: readonly string[],
  { stdin = '', env = {} }: { stdin?: string; env?: object } = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, ['--conditions=clew-source', MAIN, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
  });
  const outcome: Outcome = { code: 0, out: '', err: '' };
  child.stdout.on('data', (part: Buffer) => (outcome.out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (outcome.err += part.toString()));
  child.stdin.end(stdin);
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...outcome, code: code ?? -1 })));
}

/** Runs a command that must succeed, and returns its body. */
async function bodyOf<Body>(...args: string[]): Promise<Body> {
  const { code, out, err } = await clew([...args, '--json']);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as Body;
}

/** Conversation whose agent says that it has done what failed. */
function failing(at: number): string {
  const call = { id: 'c1', type: 'function', function: { name: 'cancel_order', arguments: `{"id":${at}}` } };
  const messages = [
    { role: 'user', content: `Cancel order ${at}.` },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'Error: 503 from billing' },
    { role: 'assistant', content: 'Done, your order is cancelled.' },
  ];
  return JSON.stringify({ id: `order-${at}`, messages, metadata: { agent: 'orders' } });
}

describe('the walk of a person at a terminal', () => {
  it('signs in with a key, which is kept for the commands that follow', async () => {
    const login = ['login', '--with-key', '--url', runningStack().gatewayUrl, '--project', project.id];
    expect((await clew(login, { stdin: project.apiKey })).code).toBe(0);
    expect(await bodyOf('whoami')).toMatchObject({ kind: 'key', projectIds: [project.id] });
  });

  it('imports conversations with progress, and sees their Findings appear', async () => {
    const file = join(folder, 'conversations.jsonl');
    writeFileSync(file, Array.from({ length: CONVERSATIONS }, (_, at) => `${failing(at)}\n`).join(''));
    const imported = await clew(['conversations', 'import', file]);
    expect([imported.code, imported.out]).toEqual([0, `${CONVERSATIONS}\t0\n`]);
    expect(imported.err).toMatch(/conversations\.jsonl {2}100 %/);
    const ids = await eventually(
      async () => {
        const { out } = await clew(['findings', 'list', '--ids']);
        if (out === '') throw new Error('There is no Finding yet');
        return out.trim().split('\n');
      },
      { timeoutMs: PATIENCE_MS },
    );
    const [id = ''] = ids;
    const confirmed = await bodyOf<{ reviewStatus: string }>('findings', 'confirm', id);
    expect(confirmed.reviewStatus).toBe('confirmed');
    expect((await clew(['findings', 'comment', id, 'Seen'])).code).toBe(0);
    expect((await clew(['findings', 'show', id])).out).toContain('confirmed');
  });

  it('reads all conversations, page by page', async () => {
    await eventually(
      async () => {
        const { out } = await clew(['conversations', 'list', '--ids', '--all', '--limit', '60']);
        expect(new Set(out.trim().split('\n')).size).toBe(CONVERSATIONS);
      },
      { timeoutMs: PATIENCE_MS },
    );
  });

  it('collects a Dataset and exports it', async () => {
    const { id } = await bodyOf<{ id: string }>('datasets', 'create', 'Cancellations');
    const example = {
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi' },
      ],
    };
    writeFileSync(join(folder, 'examples.jsonl'), `${JSON.stringify(example)}\nnonsense\n`);
    const imported = await clew(['datasets', 'import', id, 'examples.jsonl']);
    expect([imported.code, imported.err]).toEqual([7, expect.stringContaining('examples.jsonl:2:')]);
    expect(await bodyOf('datasets', 'show', id)).toMatchObject({ exampleCount: 1 });
    expect((await clew(['datasets', 'export', id, '--format', 'openai-sft', '-o', 'out.jsonl'])).code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'out.jsonl'), 'utf8'))).toMatchObject(example);
  });

  it('teaches a goal by hand, and finds what it taught', async () => {
    const goal = await bodyOf<{ id: string }>('goals', 'create', 'Refunds', 'How refunds are decided');
    const content = 'A refund over 100 euros needs a supervisor.';
    const item = await bodyOf<{ id: string }>('items', 'add', goal.id, 'Large refunds', content, '--kind', 'policy');
    expect((await clew(['items', 'list', '--goal', goal.id, '--ids'])).out).toBe(`${item.id}\n`);
    const found = await bodyOf<{ items: { item: { id: string } }[] }>('items', 'search', 'supervisor');
    expect(found.items.map(({ item: { id } }) => id)).toContain(item.id);
  });

  it('fills the project with samples, and takes them away again', async () => {
    expect(await bodyOf('demo')).toMatchObject({ refusedCount: 0 });
    const samples = async () =>
      (await clew(['conversations', 'list', '--user', 'clew-demo', '--ids', '--all'])).out.split('\n').length - 1;
    await eventually(async () => expect(await samples()).toBe(12), { timeoutMs: PATIENCE_MS });
    const removed = await clew(['demo', '--remove', '--yes', '--wait']);
    expect([removed.code, removed.err]).toEqual([0, expect.stringContaining('Erased 12 sample conversations')]);
    expect(await samples()).toBe(0);
  });
});

describe('exit codes against the API', () => {
  it.each([
    { args: ['findings', 'show', 'fnd_00000000000000000000000000'], code: 3 },
    { args: ['findings', 'list', '--limit', '100000'], code: 2 },
    { args: ['projects', 'create', 'not allowed', '--project', 'x'], code: 4, env: { CLEW_API_KEY: 'clew_live_none' } },
    { args: ['findings', 'list', '--project', 'prj_00000000000000000000000000'], code: 3 },
    { args: ['findings', 'list', '--url', 'http://127.0.0.1:1'], code: 4 },
    { args: ['conversations', 'erase', 'order-1', '--json'], code: 2 },
    { args: ['doctor', '--url', 'http://127.0.0.1:1'], code: 6, env: { CLEW_API_KEY: 'clew_live_none' } },
  ])('$args ends with $code', async ({ args, code, env = {} }) => {
    expect((await clew(args, { env })).code).toBe(code);
  });

  it('an entity tag that is old ends with 5', async () => {
    const { id } = await bodyOf<{ id: string }>('datasets', 'create', 'Versions');
    expect((await clew(['datasets', 'update', id, '--name', 'Other', '--if-match', '"old"'])).code).toBe(5);
  });
});
