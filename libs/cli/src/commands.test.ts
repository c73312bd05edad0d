import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { writePrivately } from './config/files.ts';
import { runClew } from './run.ts';
import { startDescribedApi, type DescribedApi } from './test-support/described-api.ts';
import { fakeIo, temporaryFolder, type FakeIo, type FakeIoOptions } from './test-support/fake-io.ts';
import { FILES } from './test-support/files.ts';
import { allVerbs, type NamedVerb } from './test-support/verbs.ts';

const verbs = await allVerbs();
const remote = verbs.filter(({ verb }) => verb.isLocal !== true);
const folder = temporaryFolder();
let api: DescribedApi;

beforeAll(async () => {
  api = await startDescribedApi();
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder.path, name), content);
});
afterAll(async () => {
  await api.close();
  folder[Symbol.dispose]();
});
beforeEach(() => api.reset());

/** Commands that go on until they are interrupted. */
const ENDLESS = ['findings watch', 'conversations tail'];
/** Commands whose exit code is not that of the answer: they look at it. */
const LOOKING = ['doctor', 'logout'];

function ioFor(options: FakeIoOptions): FakeIo {
  const home = join(folder.path, 'home');
  const profile = { current: 'test', profiles: { test: { url: api.url, project: 'prj_1' } } };
  writePrivately(join(home, '.config/clew/config.json'), profile);
  writePrivately(join(home, '.config/clew/credentials.json'), { test: { apiKey: 'clew_live_test', keyId: 'key_1' } });
  return fakeIo({
    directory: folder.path,
    env: { CLEW_URL: api.url, CLEW_API_KEY: 'clew_live_test', CLEW_PROJECT: 'prj_1', HOME: home },
    stdin: 'clew_live_given',
    answers: ['given'],
    ...options,
  });
}

async function run({ path, words, verb }: NamedVerb, more: string[], io: FakeIo): Promise<number> {
  if (ENDLESS.includes(path)) {
    api.answer('/events', (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"type":"ready","id":null,"at":1}\n\n', () => io.interrupt());
    });
  }
  const yes = verb.destroys === undefined ? [] : ['--yes'];
  const line = words.map((word) => (word === 'https://clew.example.com' ? api.url : word));
  return await runClew([...line, ...yes, ...more], io, { maxRetries: 0 });
}

const shown = (text: string) =>
  text
    .replaceAll(api.url, 'http://clew')
    .replaceAll(folder.path, '/work')
    .replaceAll('\u001b', '␛')
    .replaceAll(/\d+ s apart/g, '? s apart');

describe.each(verbs)('clew $path', (named) => {
  const expected = ENDLESS.includes(named.path) ? 130 : 0;

  it.each([
    { place: 'a terminal', options: { isTerminal: true } },
    { place: 'a pipe', options: {} },
  ])('asks what the API knows, and prints for $place', async ({ options }) => {
    const io = ioFor(options);
    const code = await run(named, [], io);
    expect([code, api.problems]).toEqual([expected, []]);
    // A program's own colours that were taken for those of a stranger.
    expect(io.out()).not.toContain('\ufffd');
    expect(shown(`${io.out()}\n--- stderr\n${io.err()}`)).toMatchSnapshot();
  });
});

describe.each(remote)('clew $path', (named) => {
  it('with --json prints only bodies that the API answered', async () => {
    if (named.path === 'doctor') return;
    const io = ioFor({});
    expect(await run(named, ['--json'], io)).toBe(ENDLESS.includes(named.path) ? 130 : 0);
    const lines = io
      .out()
      .split('\n')
      .filter((line) => line !== '');
    const bodies = api.answered.flatMap((body) => [body, ...Object.values(body as object).flat()] as unknown[]);
    for (const line of lines) expect(bodies).toContainEqual(JSON.parse(line));
  });

  it.each([
    { status: 400, code: 2 },
    { status: 401, code: 4 },
    { status: 403, code: 4 },
    { status: 404, code: 3 },
    { status: 409, code: 5 },
    { status: 412, code: 5 },
    { status: 429, code: 6 },
    { status: 500, code: 6 },
    { status: 503, code: 6 },
  ])('ends with $code when the API answers $status', async ({ status, code }) => {
    if (LOOKING.includes(named.path)) return;
    api.fail(status);
    const io = ioFor({});
    expect(await run(named, ['--json'], io)).toBe(code);
    expect(io.out()).toBe('');
    expect(JSON.parse(io.err().split('\n').at(-2) ?? '')).toMatchObject({ error: { status, requestId: 'req_1' } });
  });
});

describe.each(remote.filter(({ verb }) => verb.destroys !== undefined))('clew $path', ({ words }) => {
  it.each([['--json'], ['--no-input']])(
    'with %s and without --yes asks nothing, removes nothing, ends with 2',
    async (more) => {
      const io = ioFor({ isTerminal: true, answers: ['y'] });
      expect(await runClew([...words, more], io)).toBe(2);
      expect([io.asked, api.seen]).toEqual([[], []]);
    },
  );

  it('on a terminal removes only when the name has been typed', async () => {
    const refused = ioFor({ isTerminal: true, answers: ['yes'] });
    expect(await runClew(words, refused)).toBe(1);
    expect([refused.asked.length, api.seen]).toEqual([1, []]);
  });
});
