import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFingerprint, newId, type IdempotentAttempt, type IdempotentReply } from '@clew/kernel';
import { createTcpFault, eventually, explainUsesIndex, silentLogger, useTestEnvironment } from '@clew/testing';
import {
  connectMongo,
  createIdempotencyStore,
  ensureIdempotency,
  nativeDb,
  type Database,
  type Transaction,
} from './index.ts';

const environment = useTestEnvironment();
const logger = silentLogger();
const SECRET = 'a secret of tests, of 32 bytes or more';
let database: Database;

const open = (url = environment.mongoUrl) =>
  connectMongo({ url, database: environment.database, appName: 'test', logger });

beforeAll(async () => {
  database = await open();
  for (let run = 0; run < 2; run += 1) await ensureIdempotency(database.connection);
});

afterAll(() => database.close());

const effects = (of = database) => nativeDb(of.connection).collection<{ _id: string; key: string }>('effects');
const keys = () => nativeDb(database.connection).collection('idempotency_keys');
const fingerprintOf = createFingerprint(SECRET);
const requestOf = (key: string, text = 'f') => ({
  scope: ['key', 'key_1', 'POST', '/things'],
  key,
  fingerprint: fingerprintOf(text),
});
const REPLY: IdempotentReply = { status: 201, body: { id: 'thing' }, headers: { location: '/things/thing' } };

/** Runs a use case: an effect and its reply, in one transaction. */
async function take(attempt: IdempotentAttempt, key: string, reply = REPLY, of = database): Promise<void> {
  await of.withTransaction(async (tx: Transaction) => {
    await effects(of).insertOne({ _id: newId('evt'), key }, { session: tx });
    await attempt.record(tx, reply);
  });
}

/** Runs one of several transactions of a long piece of work. */
async function step(attempt: IdempotentAttempt, key: string, progress: object): Promise<void> {
  await database.withTransaction(async (tx) => {
    await effects().insertOne({ _id: newId('evt'), key }, { session: tx });
    await attempt.advance(tx, progress);
  });
}

async function begun(key: string, fingerprint?: string, of = database): Promise<IdempotentAttempt> {
  const outcome = await createIdempotencyStore(of, SECRET).begin(requestOf(key, fingerprint));
  if ('reply' in outcome) throw new Error('It was answered already');
  return outcome.attempt;
}

const endLeases = () => keys().updateMany({}, { $set: { leaseUntil: new Date(0) } });

describe('a request with an Idempotency-Key', () => {
  it('takes effect once, and its repeat gets the first answer', async () => {
    await take(await begun('once'), 'once');
    expect(await createIdempotencyStore(database, SECRET).begin(requestOf('once'))).toEqual({ reply: REPLY });
  });

  it('is told of an answer without a body alike', async () => {
    const reply = { status: 204, body: null, headers: {} };
    await take(await begun('empty'), 'empty', reply);
    expect(await createIdempotencyStore(database, SECRET).begin(requestOf('empty'))).toEqual({ reply });
  });

  it('gets an answer of many megabytes again, whole', async () => {
    const texts = Array.from({ length: 40_000 }, (_, index) => `${newId('evt')}${index}`.repeat(20));
    const reply = { status: 201, body: { texts }, headers: {} };
    await take(await begun('large'), 'large', reply);
    expect(await createIdempotencyStore(database, SECRET).begin(requestOf('large'))).toEqual({ reply });
  });

  it('is refused with 422 where the key stands for another request, done or not', async () => {
    const attempt = await begun('other', 'f1');
    await expect(begun('other', 'f2')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    await take(attempt, 'other');
    await expect(begun('other', 'f2')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('is refused with 409 while the first is under way, and begins anew where that came to nothing', async () => {
    const attempt = await begun('busy');
    await expect(begun('busy')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_FLIGHT' });
    await attempt.release();
    await take(await begun('busy'), 'busy');
    await attempt.release();
    expect(await createIdempotencyStore(database, SECRET).begin(requestOf('busy'))).toEqual({ reply: REPLY });
  });

  it('is known again after the secret was rotated, whether it was answered or came to no end', async () => {
    const other = 'the secret of tests after its rotation, of 32 bytes';
    const rotated = () => {
      const store = createIdempotencyStore(database, other);
      return (key: string) => store.begin({ ...requestOf(key), fingerprint: store.fingerprintOf('f') });
    };
    await take(await begun('before'), 'before');
    expect(await rotated()('before')).toEqual({ reply: REPLY });
    await begun('cut off');
    await expect(rotated()('cut off')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_FLIGHT' });
    await endLeases();
    expect(await rotated()('cut off')).toHaveProperty('attempt');
  });

  it('is one of its own for another caller, method or path', async () => {
    await take(await begun('mine'), 'mine');
    for (const scope of [['key', 'key_2', 'POST', '/things'], ['key', 'key_1', 'POST', '/others'], ['key']]) {
      const outcome = await createIdempotencyStore(database, SECRET).begin({ ...requestOf('mine'), scope });
      expect(outcome).toHaveProperty('attempt');
    }
  });

  it('begins anew once the process that began it has not renewed for a while, which then can no longer commit', async () => {
    const paused = await begun('lost');
    await endLeases();
    const next = await begun('lost');
    await expect(take(paused, 'lost')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_FLIGHT' });
    await take(next, 'lost');
    expect(await effects().countDocuments({ key: 'lost' })).toBe(1);
  });

  it('is answered as done where the write succeeded and its caller did not hear of it', async () => {
    const { hostname: host, port } = new URL(environment.mongoUrl);
    const fault = await createTcpFault({ target: { host, port: Number(port) } });
    const cut = await open(fault.through(environment.mongoUrl));
    const attempt = await begun('unheard', 'f', cut);
    const happened = fault.cutAfter('commitTransaction');
    await take(attempt, 'unheard', REPLY, cut).catch(() => undefined);
    await happened;
    await attempt.release();
    await eventually(async () =>
      expect(await createIdempotencyStore(database, SECRET).begin(requestOf('unheard'))).toEqual({ reply: REPLY }),
    );
    expect(await effects().countDocuments({ key: 'unheard' })).toBe(1);
    await cut.close();
    await fault.close();
  });

  it('takes effect exactly once however often it is sent at once, and dies in between', async () => {
    const fate = fc.constantFrom('commit', 'die before', 'refuse', 'die after');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fate, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), async (rounds) => {
        const key = newId('evt');
        for (const fates of [...rounds, ['commit' as const]]) {
          await endLeases();
          await Promise.all(
            fates.map(async (end) => {
              const outcome = await createIdempotencyStore(database, SECRET)
                .begin(requestOf(key))
                .catch(() => undefined);
              if (outcome === undefined || 'reply' in outcome || end === 'die before') return;
              if (end === 'refuse') await outcome.attempt.release();
              else await take(outcome.attempt, key).catch(() => undefined);
            }),
          );
        }
        expect(await effects().countDocuments({ key })).toBe(1);
        expect(await createIdempotencyStore(database, SECRET).begin(requestOf(key))).toEqual({ reply: REPLY });
      }),
      { numRuns: 25 },
    );
  });

  it('goes on from where an attempt got that died, was released, or was told so by nobody', async () => {
    const first = await begun('long');
    expect(first.progress).toBeUndefined();
    for (const line of [1, 2]) await step(first, 'long', { line });
    await first.release();
    const second = await begun('long');
    expect(second.progress).toEqual({ line: 2 });
    await expect(begun('long')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_FLIGHT' });
    await step(second, 'long', { line: 3 });
    await endLeases();
    const third = await begun('long');
    expect(third.progress).toEqual({ line: 3 });
    await take(third, 'long', { ...REPLY, bodyMark: 'mark' });
    expect(await createIdempotencyStore(database, SECRET).begin(requestOf('long'))).toEqual({
      reply: { ...REPLY, bodyMark: 'mark' },
    });
    expect(await keys().countDocuments({ progress: { $exists: true } })).toBe(0);
    expect(await effects().countDocuments({ key: 'long' })).toBe(4);
  });

  it('lets an attempt take no further step once another has taken over', async () => {
    const paused = await begun('fenced');
    await step(paused, 'fenced', { line: 1 });
    await endLeases();
    const next = await begun('fenced');
    await expect(step(paused, 'fenced', { line: 2 })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_FLIGHT' });
    await paused.renew();
    await paused.release();
    await expect(begun('fenced')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_FLIGHT' });
    expect(next.progress).toEqual({ line: 1 });
    await step(next, 'fenced', { line: 2 });
    expect(await effects().countDocuments({ key: 'fenced' })).toBe(2);
  });

  it.each([
    ['renews', (attempt: IdempotentAttempt) => attempt.renew()],
    ['takes a step', (attempt: IdempotentAttempt) => step(attempt, 'held', { line: 1 })],
  ])('is held for longer by an attempt that %s', async (name, hold) => {
    const attempt = await begun(`held ${name}`);
    await endLeases();
    await hold(attempt);
    await expect(begun(`held ${name}`)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_FLIGHT' });
  });

  it('is forgotten after a day, by an index', async () => {
    const indexes = await keys().indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { at: 1 }, expireAfterSeconds: 86_400 }));
    expect(await explainUsesIndex(keys().find({ _id: 'x' as never }) as never)).toContain('IDHACK');
  });
});
