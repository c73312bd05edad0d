import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { AppError } from '@clew/kernel';
import { cacheLookups, createMetrics } from '@clew/runtime';
import { fixedClock, silentLogger } from '@clew/testing';
import type { StoredApiKey } from '../api-keys/api-key.ts';
import { TEST_PEPPER, testKey, type TestKey } from '../test-support/keys.ts';
import { createSessionCookie } from '../sessions/session-cookie.ts';
import { memoryPeople, PUBLIC_URL, TOKENS } from '../test-support/people.ts';
import { createAuthenticator } from './authenticator.ts';
import type { Credential } from './credential.ts';

const START = 1_700_000_000_000;
const PEOPLE = { ...memoryPeople([]), cookie: createSessionCookie(PUBLIC_URL), tokens: TOKENS };
const UNTOLD = cacheLookups(createMetrics('test'), 'sessions');

interface Read {
  hash: string;
  /** Lets the database answer with the state it had at the time of the call. */
  answer(): void;
}

function setUp(keys: TestKey[], options: { cacheMs?: number; held?: boolean } = {}) {
  const rows = new Map(keys.map(({ key }) => [key.hash, key]));
  const reads: Read[] = [];
  const touched: { id: string; at: number }[] = [];
  const clock = fixedClock(START);
  const apiKeys = {
    findByHash(hash: string): Promise<StoredApiKey | undefined> {
      const row = rows.get(hash);
      const { promise, resolve } = Promise.withResolvers<StoredApiKey | undefined>();
      reads.push({ hash, answer: () => resolve(row === undefined ? undefined : { ...row }) });
      if (options.held !== true) reads.at(-1)?.answer();
      return promise;
    },
    async touch(key: StoredApiKey, at: number) {
      touched.push({ id: key.id, at });
      rows.set(key.hash, { ...(rows.get(key.hash) ?? key), lastUsedAt: at });
    },
  };
  const metrics = createMetrics('test');
  const authenticator = createAuthenticator({
    apiKeys,
    pepper: TEST_PEPPER,
    cacheMs: options.cacheMs ?? 30_000,
    clock,
    logger: silentLogger(),
    ...PEOPLE,
    lookups: { keys: cacheLookups(metrics, 'api keys'), sessions: UNTOLD },
  });
  const change = ({ key }: TestKey, changes: Partial<StoredApiKey>) => void rows.set(key.hash, { ...key, ...changes });
  return { authenticator, reads, touched, clock, change, metrics };
}

function requestOf({ authorization }: { authorization: string }): IncomingMessage {
  return { headers: { authorization } } as IncomingMessage;
}

/** Id of the authenticated key, or the code of the refusal. */
async function outcome(work: () => Credential | Promise<Credential>): Promise<string> {
  try {
    return (await work()).id;
  } catch (error) {
    return (error as AppError).code;
  }
}

describe('a key in the cache', () => {
  it('is there without a promise, and without asking the database', async () => {
    const key = testKey();
    const { authenticator, reads } = setUp([key]);
    expect(await outcome(() => authenticator.authenticate(requestOf(key)))).toBe(key.key.id);
    expect(authenticator.authenticate(requestOf(key))).not.toBeInstanceOf(Promise);
    expect(reads).toHaveLength(1);
  });

  it('ends the moment it expires', async () => {
    const key = testKey({ expiresAt: START + 1_000 });
    const { authenticator, clock } = setUp([key]);
    await authenticator.authenticate(requestOf(key));
    clock.advance(999);
    expect(await outcome(() => authenticator.authenticate(requestOf(key)))).toBe(key.key.id);
    clock.advance(1);
    expect(await outcome(() => authenticator.authenticate(requestOf(key)))).toBe('UNAUTHENTICATED');
  });

  it.each(['forget', 'forgetAll'] as const)('ends at once by %s, others staying as they are', async (how) => {
    const [revoked, other] = [testKey(), testKey()];
    const { authenticator, change } = setUp([revoked, other]);
    for (const key of [revoked, other]) await authenticator.authenticate(requestOf(key));
    change(revoked, { revokedAt: START });
    authenticator[how](revoked.key.id);
    expect(await outcome(() => authenticator.authenticate(requestOf(revoked)))).toBe('UNAUTHENTICATED');
    expect(await outcome(() => authenticator.authenticate(requestOf(other)))).toBe(other.key.id);
  });

  it('is not kept at all where the cache is off', async () => {
    const key = testKey();
    const { authenticator, reads, change } = setUp([key], { cacheMs: 0 });
    await authenticator.authenticate(requestOf(key));
    change(key, { revokedAt: START });
    expect(await outcome(() => authenticator.authenticate(requestOf(key)))).toBe('UNAUTHENTICATED');
    expect(reads).toHaveLength(2);
  });

  it('is read again when its time is over', async () => {
    const key = testKey();
    const { authenticator, change, clock } = setUp([key], { cacheMs: 20_000 });
    await authenticator.authenticate(requestOf(key));
    change(key, { revokedAt: START });
    clock.advance(19_999);
    expect(await outcome(() => authenticator.authenticate(requestOf(key)))).toBe(key.key.id);
    clock.advance(2);
    expect(await outcome(() => authenticator.authenticate(requestOf(key)))).toBe('UNAUTHENTICATED');
  });
});

describe('a read of the database', () => {
  it('that began before a revocation does not put the key back into the cache', async () => {
    const key = testKey();
    const { authenticator, reads, change } = setUp([key], { held: true });
    const early = outcome(() => authenticator.authenticate(requestOf(key)));
    change(key, { revokedAt: START });
    authenticator.forget(key.key.id);
    reads[0]?.answer();
    // The early read began before the revocation was visible.
    expect(await early).toBe(key.key.id);
    const late = outcome(() => authenticator.authenticate(requestOf(key)));
    reads[1]?.answer();
    expect(await late).toBe('UNAUTHENTICATED');
  });

  it.each(['forget', 'forgetAll'] as const)(
    'that began before %s is not shared with who comes after it',
    async (how) => {
      const key = testKey();
      const { authenticator, reads, change } = setUp([key], { held: true });
      const early = outcome(() => authenticator.authenticate(requestOf(key)));
      change(key, { revokedAt: START });
      authenticator[how](key.key.id);
      const late = outcome(() => authenticator.authenticate(requestOf(key)));
      reads.forEach((read) => read.answer());
      expect([await early, await late]).toEqual([key.key.id, 'UNAUTHENTICATED']);
    },
  );

  it('is made once for a burst with one key', async () => {
    const key = testKey();
    const { authenticator, reads } = setUp([key], { held: true });
    const burst = Array.from({ length: 50 }, () => outcome(() => authenticator.authenticate(requestOf(key))));
    reads.forEach((read) => read.answer());
    expect(new Set(await Promise.all(burst))).toEqual(new Set([key.key.id]));
    expect(reads).toHaveLength(1);
  });

  it('that fails is not remembered', async () => {
    const key = testKey();
    let fails = true;
    const authenticator = createAuthenticator({
      apiKeys: {
        async findByHash() {
          if (fails) throw new Error('the database is away');
          return key.key;
        },
        touch: async () => undefined,
      },
      pepper: TEST_PEPPER,
      cacheMs: 30_000,
      clock: fixedClock(START),
      logger: silentLogger(),
      ...PEOPLE,
      lookups: { keys: cacheLookups(createMetrics('test'), 'api keys'), sessions: UNTOLD },
    });
    await expect(async () => authenticator.authenticate(requestOf(key))).rejects.toThrow('away');
    fails = false;
    expect(await outcome(() => authenticator.authenticate(requestOf(key)))).toBe(key.key.id);
  });

  it('is counted as found or not, and what cannot be a key is neither', async () => {
    const [known, unknown] = [testKey(), testKey()];
    const { authenticator, metrics } = setUp([known]);
    for (const key of [known, known, known, unknown, { authorization: 'Bearer none' }]) {
      await outcome(() => authenticator.authenticate(requestOf(key)));
    }
    const lookups = (await metrics.metrics()).split('\n').filter((line) => line.startsWith('clew_cache_lookups_total'));
    const counted = lookups.map((line) => `${/result="(\w+)"/.exec(line)?.[1]} ${line.split(' ').at(-1)}`);
    expect(counted.toSorted()).toEqual(['hit 2', 'miss 2']);
  });

  it('is not made for a text that cannot be a key', async () => {
    const { authenticator, reads } = setUp([]);
    const mistyped = testKey().authorization.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    expect(await outcome(() => authenticator.authenticate(requestOf({ authorization: mistyped })))).toBe(
      'UNAUTHENTICATED',
    );
    expect(reads).toEqual([]);
  });
});

describe('the last use of a key', () => {
  it('is written at most once in 30 seconds, also where nothing is cached', async () => {
    const key = testKey();
    const { authenticator, touched, clock } = setUp([key], { cacheMs: 0 });
    for (let count = 0; count < 70; count += 1) {
      await authenticator.authenticate(requestOf(key));
      clock.advance(1_000);
    }
    expect(touched.map(({ at }) => at - START)).toEqual([0, 30_000, 60_000]);
  });

  it('that cannot be written refuses nobody', async () => {
    const key = testKey();
    const authenticator = createAuthenticator({
      apiKeys: {
        findByHash: async () => key.key,
        touch: () => Promise.reject(new Error('the database is away')),
      },
      pepper: TEST_PEPPER,
      cacheMs: 30_000,
      clock: fixedClock(START),
      logger: silentLogger(),
      ...PEOPLE,
      lookups: { keys: cacheLookups(createMetrics('test'), 'api keys'), sessions: UNTOLD },
    });
    expect(await outcome(() => authenticator.authenticate(requestOf(key)))).toBe(key.key.id);
  });
});
