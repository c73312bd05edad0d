import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, useTestEnvironment } from '@clew/testing';
import { connectMongo, createInbox, ensureInbox, nativeDb, type Database } from './index.ts';

const environment = useTestEnvironment();
const logger = silentLogger();
let database: Database;

function accept(consumer: string, ...ids: string[]): Promise<Set<string>> {
  return database.withTransaction((tx) => createInbox(database, consumer).accept(tx, ids));
}

beforeAll(async () => {
  const { mongoUrl: url, database: name } = environment;
  database = await connectMongo({ url, database: name, appName: 'test', logger });
  for (let run = 0; run < 2; run += 1) await ensureInbox(database.connection);
});

afterAll(() => database.close());

describe('the inbox', () => {
  it('tells which messages come for the first time', async () => {
    expect(await accept('first', 'a', 'b')).toEqual(new Set(['a', 'b']));
    expect(await accept('first', 'b', 'c')).toEqual(new Set(['c']));
    expect(await accept('first', 'a', 'b', 'c')).toEqual(new Set());
    expect(await accept('first')).toEqual(new Set());
  });

  it('counts a message once that comes twice in one batch', async () => {
    expect(await accept('batch', 'a', 'a')).toEqual(new Set(['a']));
  });

  it('remembers for each consumer alone', async () => {
    await accept('one', 'a');
    expect(await accept('another', 'a')).toEqual(new Set(['a']));
  });

  it('forgets what an aborted transaction accepted', async () => {
    const work = database.withTransaction(async (tx) => {
      await createInbox(database, 'aborted').accept(tx, ['a']);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await accept('aborted', 'a')).toEqual(new Set(['a']));
  });

  it('lets a message that several transactions handle at once take effect once', async () => {
    const effects = nativeDb(database.connection).collection('effects');
    const inbox = createInbox(database, 'raced');
    const handle = () =>
      database.withTransaction(async (tx) => {
        const fresh = await inbox.accept(tx, ['a', 'b']);
        for (const id of fresh) await effects.insertOne({ id }, { session: tx });
      });
    await Promise.all(Array.from({ length: 8 }, handle));
    expect((await effects.find().toArray()).map(({ id }) => id as string).toSorted()).toEqual(['a', 'b']);
  });

  it('is kept for 14 days', async () => {
    const indexes = await nativeDb(database.connection).collection('inbox').indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { at: 1 }, expireAfterSeconds: 14 * 24 * 3600 }));
  });
});
