import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runClew } from './run.ts';
import { errorBody, startDescribedApi, writeJson, type DescribedApi } from './test-support/described-api.ts';
import { fakeIo, temporaryFolder } from './test-support/fake-io.ts';

let api: DescribedApi;
let home: string;

beforeAll(async () => {
  api = await startDescribedApi();
});
afterAll(() => api.close());
beforeEach(() => {
  api.reset();
  home = temporaryFolder().path;
});

const world = (more: Parameters<typeof fakeIo>[0] = {}) =>
  fakeIo({ directory: home, ...more, env: { HOME: home, ...more?.env } });
const stored = (name: string) => JSON.parse(readFileSync(join(home, '.config/clew', name), 'utf8')) as unknown;

/** Answers as an API does whose person takes some time, and asks the device to be slower. */
function approveAfter(...codes: string[]) {
  api.answer('/auth/device/token', (response) => {
    const code = codes.shift();
    if (code !== undefined) return writeJson(response, 400, errorBody(code));
    return writeJson(response, 200, { apiKey: { id: 'key_made' }, secret: 'clew_live_made' });
  });
}

describe('clew login', () => {
  it('shows the code, waits for the approval, and keeps the key for this deployment', async () => {
    const io = world({ isTerminal: true });
    const pauses: number[] = [];
    approveAfter('AUTHORIZATION_PENDING', 'SLOW_DOWN', 'AUTHORIZATION_PENDING');
    const code = await runClew(['login', '--url', api.url], {
      ...io,
      pause: (ms) => Promise.resolve(void pauses.push(ms)),
    });
    expect([code, api.problems]).toEqual([0, []]);
    expect(pauses).toEqual([3_000, 3_000, 8_000, 8_000]);
    expect(io.err()).toContain('Code: userCode one');
    expect(io.browsed).toEqual(['verificationUriComplete one']);
    expect(stored('config.json')).toMatchObject({ current: 'default', profiles: { default: { url: api.url } } });
    expect(stored('credentials.json')).toEqual({ default: { apiKey: 'clew_live_made', keyId: 'key_made' } });
    expect(statSync(join(home, '.config/clew/credentials.json')).mode & 0o777).toBe(0o600);
    expect(`${io.out()}${io.err()}`).not.toContain('clew_live_made');
  });

  it('asks for a key without any credential, also when the environment has one', async () => {
    approveAfter();
    await runClew(['login', '--url', api.url], world({ env: { CLEW_API_KEY: 'clew_live_of_another_place' } }));
    const open = api.seen.filter(({ path }) => path.startsWith('/v1/auth/'));
    expect(open.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  it.each(['ACCESS_DENIED', 'EXPIRED_TOKEN'])('ends with 4 on %s, and keeps nothing', async (error) => {
    approveAfter(error);
    expect(await runClew(['login', '--url', api.url], world())).toBe(4);
    expect(() => stored('credentials.json')).toThrow('ENOENT');
  });

  it('takes a key from a pipe, and keeps it only if it works', async () => {
    const login = ['login', '--url', api.url, '--with-key', '--profile', 'ci'];
    expect(await runClew(login, world({ stdin: 'clew_live_given\n' }))).toBe(0);
    expect(api.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer clew_live_given']);
    expect(stored('credentials.json')).toEqual({ ci: { apiKey: 'clew_live_given' } });
    api.fail(401);
    expect(await runClew(login, world({ stdin: 'clew_live_wrong' }))).toBe(4);
    expect(stored('credentials.json')).toEqual({ ci: { apiKey: 'clew_live_given' } });
  });

  it('never asks a person where nobody can answer', async () => {
    const io = world({ isTerminal: true });
    expect(await runClew(['login', '--no-input'], io)).toBe(2);
    expect(io.asked).toEqual([]);
  });
});

describe('clew logout', () => {
  const signIn = async () => {
    approveAfter();
    await runClew(['login', '--url', api.url, '--project', 'prj_1'], world());
    api.reset();
  };

  it('revokes the key at the server, and forgets it', async () => {
    await signIn();
    expect(await runClew(['logout'], world())).toBe(0);
    expect(api.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /v1/me/key']);
    expect(stored('credentials.json')).toEqual({});
    expect(await runClew(['findings', 'list'], world())).toBe(4);
  });

  it('forgets a key that is not valid any more', async () => {
    await signIn();
    api.fail(401);
    expect(await runClew(['logout'], world())).toBe(0);
    expect(stored('credentials.json')).toEqual({});
  });

  it('keeps the key when the server is away, so that it can be revoked later', async () => {
    await signIn();
    api.fail(503);
    expect(await runClew(['logout'], world())).toBe(6);
    expect(stored('credentials.json')).toMatchObject({ default: { keyId: 'key_made' } });
  });
});
