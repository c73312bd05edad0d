import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Schema } from 'mongoose';
import { createTcpFault, eventually, monitored, sentCommands, silentLogger, useTestEnvironment } from '@clew/testing';
import { createLogger, type Logger } from '@clew/runtime';
import {
  connectMongo,
  isDuplicateKey,
  isOutage,
  nativeDb,
  openMongo,
  type Database,
  type MongoOptions,
} from './index.ts';

interface Counter {
  _id: string;
  value: number;
}

const environment = useTestEnvironment();
let database: Database;

function open(overrides: Partial<MongoOptions> = {}): Promise<Database> {
  const { mongoUrl: url, database: name } = environment;
  return connectMongo({ url, database: name, appName: 'test', logger: silentLogger(), ...overrides });
}

function counters(of: Database = database) {
  return nativeDb(of.connection).collection<Counter>('counters');
}

beforeAll(async () => {
  database = await open();
});

afterAll(() => database.close());

describe('connectMongo', () => {
  it('waits for a majority and the journal with every write', () => {
    const { writeConcern, retryWrites } = database.connection.getClient().options;
    expect(writeConcern).toMatchObject({ w: 'majority', journal: true });
    expect(retryWrites).toBe(true);
  });

  it('refuses a filter with a field that the schema lacks, rather than match everything', async () => {
    const Things = database.connection.model('Thing', new Schema({ projectId: String }));
    await expect(Things.find({ projektId: 'prj_a' } as object)).rejects.toThrow('projektId');
  });

  it('makes no collection and no index by itself', async () => {
    const schema = new Schema({ projectId: { type: String, index: true } });
    await database.connection.model('Untouched', schema).init();
    expect(await nativeDb(database.connection).listCollections({ name: 'untoucheds' }).toArray()).toEqual([]);
  });

  it('reads what a majority has, so that nobody acts on what a transaction does not see yet', async () => {
    const watched = await open({ url: monitored(environment.mongoUrl) });
    const things = nativeDb(watched.connection).collection('things');
    const sent = await sentCommands(watched, async () => {
      await things.findOne({});
      await things.countDocuments({});
    });
    await watched.close();
    const majority = { readConcern: { level: 'majority' } };
    expect(sent).toMatchObject([
      { name: 'find', command: majority },
      { name: 'aggregate', command: majority },
    ]);
  });

  it('rejects within the server selection time when nothing answers', async () => {
    const fault = await createFault();
    fault.block();
    const url = fault.through(environment.mongoUrl);
    const startedAtMs = Date.now();
    await expect(open({ url, serverSelectionTimeoutMs: 200 })).rejects.toThrow('closed');
    expect(Date.now() - startedAtMs).toBeLessThan(10_000);
    await fault.close();
  });
});

describe('openMongo', () => {
  const openBehindFault = async (logger: Logger) => {
    const fault = await createFault();
    fault.block();
    const { database: name } = environment;
    const url = fault.through(environment.mongoUrl);
    const opened = await openMongo({ url, database: name, appName: 'test', logger, serverSelectionTimeoutMs: 100 });
    return { fault, ...opened };
  };

  it('resolves while the database is away, fails what is asked of it, and works once it is there', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ service: 'test', version: '0', level: 'info', destination });
    const { fault, database: opened, whenConnected } = await openBehindFault(logger);
    const kept = nativeDb(opened.connection).collection<Counter>('counters');
    const Things = opened.connection.model('Thing', new Schema({ projectId: String }));
    const outcomes = await Promise.allSettled([
      ...[kept.findOne({}), Things.findOne({}), opened.ping(1_000)],
      opened.withTransaction((session) => kept.insertOne({ _id: 'too early', value: 1 }, { session })),
    ]);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && isOutage(outcome.reason))).toEqual(
      outcomes.map(() => true),
    );
    await expect(whenConnected(AbortSignal.timeout(2_500))).rejects.toThrow('timeout');
    // After several attempts the outage is logged only once.
    expect(lines.filter((line) => line.includes('the database is away'))).toHaveLength(1);
    fault.unblock();
    await whenConnected();
    await opened.withTransaction((session) => kept.insertOne({ _id: 'in time', value: 1 }, { session }));
    expect(await kept.findOne({ _id: 'in time' })).toMatchObject({ value: 1 });
    expect(await kept.findOne({ _id: 'too early' })).toBeNull();
    expect(await Things.findOne({})).toBeNull();
    await opened.close();
    await fault.close();
  });

  it('is closed also while the database is away', async () => {
    const { fault, database: opened, whenConnected } = await openBehindFault(silentLogger());
    const waiting = expect(whenConnected()).rejects.toThrow();
    await opened.close();
    await waiting;
    await fault.close();
  });

  it('refuses what is no address without showing it', async () => {
    const opening = openMongo({
      url: 'mongodb://user:hunter2@',
      database: 'd',
      appName: 'test',
      logger: silentLogger(),
    });
    await expect(opening).rejects.toThrow('MONGO_URL: is not the address of a database');
    await expect(opening).rejects.not.toThrow('hunter2');
  });
});

describe('withTransaction', () => {
  it('keeps nothing of a transaction that throws', async () => {
    const work = database.withTransaction(async (session) => {
      await counters().insertOne({ _id: 'aborted', value: 1 }, { session });
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await counters().findOne({ _id: 'aborted' })).toBeNull();
  });

  it('runs the work again on a write conflict, so that no update is lost', async () => {
    await counters().insertOne({ _id: 'contended', value: 0 });
    let attempts = 0;
    const increment = () =>
      database.withTransaction(async (session) => {
        attempts += 1;
        const found = await counters().findOne({ _id: 'contended' }, { session });
        await counters().updateOne({ _id: 'contended' }, { $set: { value: (found?.value ?? 0) + 1 } }, { session });
      });
    await Promise.all(Array.from({ length: 12 }, increment));
    expect(await counters().findOne({ _id: 'contended' })).toMatchObject({ value: 12 });
    expect(attempts).toBeGreaterThan(12);
  });

  it.each([true, false])('runs a bulk of writes again on a conflict as well (ordered: %s)', async (ordered) => {
    const _id = `bulk ${ordered}`;
    await counters().insertOne({ _id, value: 0 });
    let attempts = 0;
    await database.withTransaction(async (session) => {
      attempts += 1;
      await counters().findOne({ _id }, { session });
      if (attempts < 4) await counters().updateOne({ _id }, { $inc: { value: 1 } });
      const filter = { _id };
      await counters().bulkWrite(
        [
          { insertOne: { document: { _id: `${_id} beside`, value: 1 } } },
          { updateOne: { filter, update: { $inc: { value: 10 } } } },
        ],
        { session, ordered },
      );
    });
    expect({ attempts, ...(await counters().findOne({ _id })) }).toEqual({ attempts: 4, _id, value: 13 });
    expect(await counters().countDocuments({ _id: `${_id} beside` })).toBe(1);
  });

  it('returns what the work returned', async () => {
    expect(await database.withTransaction(async () => 'done')).toBe('done');
  });

  it('reads one snapshot, whatever others write meanwhile', async () => {
    await counters().insertOne({ _id: 'snapshot', value: 1 });
    const values = await database.withTransaction(async (session) => {
      const before = await counters().findOne({ _id: 'snapshot' }, { session });
      await counters().updateOne({ _id: 'snapshot' }, { $set: { value: 2 } });
      return [before?.value, (await counters().findOne({ _id: 'snapshot' }, { session }))?.value];
    });
    expect(values).toEqual([1, 1]);
  });

  it('calls back after the commit, once, and never after an abort', async () => {
    const calls: string[] = [];
    let attempts = 0;
    await counters().insertOne({ _id: 'callbacks', value: 0 });
    await database.withTransaction(async (session) => {
      attempts += 1;
      database.afterCommit(session, () => calls.push('committed'));
      await counters().findOne({ _id: 'callbacks' }, { session });
      // Another writer interferes the first time, so that this transaction has to run again.
      if (attempts === 1) await counters().updateOne({ _id: 'callbacks' }, { $inc: { value: 1 } });
      await counters().updateOne({ _id: 'callbacks' }, { $inc: { value: 1 } }, { session });
      expect(calls).toEqual([]);
    });
    const aborted = database.withTransaction(async (session) => {
      database.afterCommit(session, () => calls.push('aborted'));
      throw new Error('no');
    });
    await expect(aborted).rejects.toThrow('no');
    expect({ attempts, calls }).toEqual({ attempts: 2, calls: ['committed'] });
  });
});

describe('a commit whose answer is lost', () => {
  it('is asked for again by the driver and takes effect once', async () => {
    const { fault, behindFault } = await openBehindFault();
    const lost = fault.cutAfter('commitTransaction');
    await behindFault.withTransaction((session) =>
      counters(behindFault).updateOne({ _id: 'lost' }, { $inc: { value: 1 } }, { upsert: true, session }),
    );
    await lost;
    expect(await counters().findOne({ _id: 'lost' })).toMatchObject({ value: 1 });
    await behindFault.close();
    await fault.close();
  });

  it('is an error to the caller when the database stays away, though the write is there', async () => {
    const { fault, behindFault } = await openBehindFault();
    const lost = fault.cutAfter('commitTransaction').then(() => fault.block());
    const work = behindFault.withTransaction((session) =>
      counters(behindFault).insertOne({ _id: 'unknown', value: 1 }, { session }),
    );
    await expect(work).rejects.toThrow();
    await lost;
    await eventually(async () => expect(await counters().findOne({ _id: 'unknown' })).not.toBeNull());
    await behindFault.close();
    await fault.close();
  });
});

describe('isDuplicateKey', () => {
  it('knows a write that failed on a unique index', async () => {
    await counters().insertOne({ _id: 'twice', value: 1 });
    const error: unknown = await counters()
      .insertOne({ _id: 'twice', value: 1 })
      .catch((reason: unknown) => reason);
    expect(isDuplicateKey(error)).toBe(true);
    expect([isDuplicateKey(new Error('other')), isDuplicateKey(undefined)]).toEqual([false, false]);
  });
});

describe('ping', () => {
  it('resolves while the primary answers', async () => {
    await expect(database.ping(1_000)).resolves.toBeUndefined();
  });

  it('rejects within its time when the primary does not answer', async () => {
    const { fault, behindFault } = await openBehindFault();
    const stalled = fault.stallAfter('ping');
    await expect(behindFault.ping(100)).rejects.toThrow('100 ms');
    await stalled;
    await fault.close();
    await behindFault.close();
  });
});

function createFault() {
  const { hostname: host, port } = new URL(environment.mongoUrl);
  return createTcpFault({ target: { host, port: Number(port) } });
}

async function openBehindFault() {
  const fault = await createFault();
  const behindFault = await open({ url: fault.through(environment.mongoUrl), serverSelectionTimeoutMs: 500 });
  return { fault, behindFault };
}
