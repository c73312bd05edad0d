import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig, writePrivately } from './config/files.ts';
import { runClew } from './run.ts';
import { startDescribedApi, writeJson, type DescribedApi } from './test-support/described-api.ts';
import { fakeIo, temporaryFolder, type FakeIoOptions } from './test-support/fake-io.ts';
import { VERSION } from './version.ts';

let api: DescribedApi;
beforeAll(async () => {
  api = await startDescribedApi();
});
afterAll(() => api.close());
beforeEach(() => api.reset());

const world = (options: FakeIoOptions = {}) =>
  fakeIo({
    ...options,
    env: { CLEW_URL: api.url, CLEW_API_KEY: 'clew_live_test', CLEW_PROJECT: 'prj_1', ...options.env },
  });

/** Answers a list of two pages, the first of which is empty. */
function twoPages() {
  api.answer('/findings', (response, { query }) => {
    const isLast = query['cursor'] === 'next';
    const findings = isLast ? [{ id: 'fnd_1' }, { id: 'fnd_2' }] : [];
    writeJson(response, 200, { findings, pagination: { limit: 100, nextCursor: isLast ? null : 'next' } });
  });
}

describe('the command line', () => {
  it('has the version of its package', () => {
    const file = join(import.meta.dirname, '../package.json');
    expect(VERSION).toBe((JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version);
  });

  it.each([
    { line: [], code: 0 },
    { line: ['--help'], code: 0 },
    { line: ['help', 'findings'], code: 0 },
    { line: ['findings', 'list', '--help'], code: 0 },
    { line: ['findings'], code: 2 },
    { line: ['nothing'], code: 2 },
    { line: ['findings', 'nothing'], code: 2 },
    { line: ['findings', 'list', '--nothing'], code: 2 },
    { line: ['findings', 'list', 'too', 'much'], code: 2 },
    { line: ['findings', 'show'], code: 2 },
    { line: ['findings', 'list', '--since', 'soon'], code: 2 },
    { line: ['findings', 'list', '--work-item', 'lost'], code: 2 },
    { line: ['findings', 'list', '--json', '--ids'], code: 2 },
    { line: ['findings', 'list', '--json', '--all'], code: 2 },
    { line: ['findings', 'merge', 'fnd_1'], code: 2 },
  ])('ends $line with $code', async ({ line, code }) => {
    const io = world();
    expect(await runClew(line, io)).toBe(code);
    expect(api.seen).toEqual([]);
    if (code === 2) expect(io.out()).toBe('');
  });

  it('tells an error with --json as one line of JSON, also one of usage', async () => {
    const io = world();
    await runClew(['findings', 'list', '--json', '--nothing'], io);
    expect(io.err().split('\n')).toHaveLength(2);
    expect(JSON.parse(io.err())).toEqual({
      error: { status: null, code: 'USAGE', message: "unknown option '--nothing'", requestId: null, hint: null },
    });
  });

  it('takes the options of every command before and after the noun', async () => {
    for (const line of [
      ['--json', 'findings', 'list'],
      ['findings', '--json', 'list'],
      ['findings', 'list', '--json'],
    ]) {
      const io = world();
      await runClew(line, io);
      expect(JSON.parse(io.out())).toEqual(api.answered.at(-1));
    }
  });

  it('finds the project of a key that reaches a single one', async () => {
    api.answer('/v1/me', (response) => writeJson(response, 200, { projectIds: ['prj_only'] }));
    expect(await runClew(['findings', 'list'], world({ env: { CLEW_PROJECT: '' } }))).toBe(0);
    expect(api.seen.at(-1)?.path).toBe('/v1/projects/prj_only/diagnostics/findings');
    api.answer('/v1/me', (response) => writeJson(response, 200, { projectIds: ['prj_1', 'prj_2'] }));
    expect(await runClew(['findings', 'list'], world({ env: { CLEW_PROJECT: '' } }))).toBe(2);
  });

  it('with --verbose tells of each request with its id, and never of the key', async () => {
    const io = world();
    await runClew(['findings', 'list', '--verbose'], io);
    expect(io.err()).toMatch(/^GET \/v1\/projects\/prj_1\/diagnostics\/findings 200 0 ms req_1$/m);
    expect(io.err()).not.toContain('clew_live_test');
  });

  it('that is interrupted ends with 130', async () => {
    const io = world();
    api.answer('/findings', () => io.interrupt());
    expect(await runClew(['findings', 'list'], io)).toBe(130);
  });

  it('ends with 6 when nobody listens', async () => {
    const io = world({ env: { CLEW_URL: 'http://127.0.0.1:9' } });
    expect(await runClew(['findings', 'list'], io, { maxRetries: 0 })).toBe(6);
  });
});

describe('the project that commands are about', () => {
  const named = (id: string, name: string) => ({ id, name, createdAt: 1 });
  const use = async (wanted: string) => {
    using folder = temporaryFolder();
    const io = world({ env: { HOME: folder.path, CLEW_PROJECT: '' } });
    const profile = { current: 'test', profiles: { test: { url: api.url } } };
    writePrivately(join(folder.path, '.config/clew/config.json'), profile);
    const code = await runClew(['projects', 'use', wanted], io);
    return { code, project: readConfig(io).profiles['test']?.project, told: io.err() };
  };

  it('is chosen by its name, unless several have it or none', async () => {
    api.answer('/v1/projects', (response, { query }) => {
      const isLast = query['cursor'] === 'next';
      const projects = isLast ? [named('prj_3', 'Clinic'), named('prj_4', 'shop')] : [named('prj_1', 'Shop')];
      writeJson(response, 200, { projects, nextCursor: isLast ? null : 'next' });
    });
    expect(await use('clinic')).toMatchObject({ code: 0, project: 'prj_3' });
    expect(await use('Shop')).toMatchObject({ code: 2, project: undefined });
    expect(await use('Warehouse')).toMatchObject({ code: 3 });
  });
});

describe('a list', () => {
  it('says when there is more, and reads all of it with --all', async () => {
    twoPages();
    const first = world();
    await runClew(['findings', 'list', '--ids'], first);
    expect([first.out(), first.err()]).toEqual(['', '... 0 shown, more with --all\n']);
    const all = world();
    await runClew(['findings', 'list', '--ids', '--all'], all);
    expect([all.out(), all.err()]).toEqual(['fnd_1\nfnd_2\n', '']);
  });

  it('with --ndjson --all prints the things of all pages, a line each', async () => {
    twoPages();
    const io = world();
    await runClew(['findings', 'list', '--ndjson', '--all'], io);
    expect(io.out()).toBe('{"id":"fnd_1"}\n{"id":"fnd_2"}\n');
  });
});

describe('--wait', () => {
  const running = (response: Parameters<typeof writeJson>[0]) =>
    writeJson(response, 200, { id: 'ers_1', status: 'running' });

  it('ends with 8 when the work goes on, and says so', async () => {
    api.answer('/erasures/erasureId_1', running);
    const io = world();
    const line = ['conversations', 'erase', 'c1', '--yes', '--wait', '--timeout', '1ms'];
    expect(await runClew(line, io)).toBe(8);
    expect(io.err()).toContain('still running');
  });

  it('ends with 1 when the work failed', async () => {
    api.answer('/backfills/bf_1', (response) =>
      writeJson(response, 200, { state: 'failed', failureReason: 'no model' }),
    );
    const io = world();
    expect(await runClew(['backfills', 'show', 'goal_1', 'bf_1', '--wait'], io)).toBe(1);
    expect(io.err()).toContain('no model');
  });
});

describe('an import', () => {
  it('of several files sends each, and ends with 7 when lines were refused, with their places', async () => {
    const refused = [{ line: 2, path: 'messages', reason: 'is empty' }];
    api.answer('/conversations/import', (response) =>
      writeJson(response, 200, { imported: 1, refusedCount: 1, refused }),
    );
    const io = world({ stdin: '{"messages":[]}\n' });
    expect(await runClew(['conversations', 'import', '-'], io)).toBe(7);
    expect(io.out()).toBe('1\t1\n');
    expect(io.err()).toContain('-:2: messages: is empty');
    expect(api.seen[0]?.body).toBe('{"messages":[]}\n');
  });

  it('on a terminal leaves the bar in a line of its own', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'a.jsonl'), '{"messages":[]}\n');
    api.answer('/conversations/import', (response) =>
      writeJson(response, 200, { imported: 1, refusedCount: 0, refused: [] }),
    );
    const io = world({ isTerminal: true, directory: folder.path, env: { NO_COLOR: '1' } });
    expect(await runClew(['conversations', 'import', 'a.jsonl', 'a.jsonl'], io)).toBe(0);
    const report = ['IMPORTED  REFUSED', '1         0'];
    expect(io.screen()).toEqual([
      ...[expect.stringMatching(/^1 of 2 a.jsonl +50 %/), ...report],
      ...[expect.stringMatching(/^2 of 2 a.jsonl +100 %/), ...report, ''],
    ]);
  });

  it('of a file that is not there ends with 2 before anything is sent', async () => {
    expect(await runClew(['conversations', 'import', 'nothing.jsonl'], world({ directory: '/nowhere' }))).toBe(2);
    expect(api.seen).toEqual([]);
  });
});
