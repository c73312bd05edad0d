import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKeyChanged } from '@clew/contracts';
import {
  createTcpFault,
  eventually,
  explainUsesIndex,
  monitored,
  sentCommands,
  silentLogger,
  useTestEnvironment,
} from '@clew/testing';
import {
  connectMongo,
  createOutbox,
  ensureOutbox,
  nativeDb,
  onOutboxAppended,
  outboxCollection,
  outboxMessage,
  type Database,
  type OutboxMessage,
  type Transaction,
} from './index.ts';

const environment = useTestEnvironment();
const logger = silentLogger();
let database: Database;

function open(url = environment.mongoUrl): Promise<Database> {
  return connectMongo({
    url,
    database: environment.database,
    appName: 'test',
    logger,
    serverSelectionTimeoutMs: 500,
  });
}

function message(key: string): OutboxMessage<{ keyId: string }> {
  return { key, projectId: 'prj_a', requestId: 'req_a', data: { keyId: key }, occurredAt: 1_700_000_000_000 };
}

/** Runs a use case: a state change and the message about it. */
async function rotate(tx: Transaction, key: string, of: Database = database): Promise<boolean> {
  const states = nativeDb(of.connection).collection<{ _id: string; rotations: number }>('states');
  await states.updateOne({ _id: key }, { $inc: { rotations: 1 } }, { upsert: true, session: tx });
  return createOutbox(of).append(tx, apiKeyChanged, message(key));
}

function state(key: string) {
  return nativeDb(database.connection).collection<{ _id: string }>('states').findOne({ _id: key });
}

function row(key: string) {
  return outboxCollection(database).findOne({ _id: `gateway.api-key.changed:${key}` });
}

beforeAll(async () => {
  database = await open();
  for (let run = 0; run < 2; run += 1) await ensureOutbox(database.connection);
});

beforeEach(() => outboxCollection(database).deleteMany({}));

afterAll(() => database.close());

describe('an outbox message', () => {
  it('is there, ready to be published, once the transaction has committed', async () => {
    expect(await database.withTransaction((tx) => rotate(tx, 'committed'))).toBe(true);
    expect(await state('committed')).not.toBeNull();
    const stored = await row('committed');
    expect(stored).toMatchObject({
      state: 'pending',
      exchange: 'clew.events',
      routingKey: 'gateway.api-key.changed.v1',
    });
    expect(JSON.parse(stored?.body ?? '')).toEqual({
      id: 'gateway.api-key.changed:committed',
      type: 'gateway.api-key.changed',
      version: 1,
      occurredAt: 1_700_000_000_000,
      projectId: 'prj_a',
      requestId: 'req_a',
      data: { keyId: 'committed' },
    });
  });

  it('goes with its state when the transaction aborts', async () => {
    const work = database.withTransaction(async (tx) => {
      await rotate(tx, 'aborted');
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect([await state('aborted'), await row('aborted')]).toEqual([null, null]);
  });

  it('is added once for a type and key, and a repeat says so without ending the transaction', async () => {
    await database.withTransaction((tx) => rotate(tx, 'repeated'));
    const first = await row('repeated');
    expect(await database.withTransaction((tx) => rotate(tx, 'repeated'))).toBe(false);
    expect(await row('repeated')).toEqual(first);
    expect(await state('repeated')).toMatchObject({ rotations: 2 });
  });

  it('is added once by transactions that run at the same time', async () => {
    const added = await Promise.all(
      Array.from({ length: 8 }, () =>
        database.withTransaction((tx) => createOutbox(database).append(tx, apiKeyChanged, message('raced'))),
      ),
    );
    expect(added.filter(Boolean)).toHaveLength(1);
  });

  it('is refused when its data does not fit the schema, and nothing is written', async () => {
    const wrong = { ...message('wrong'), data: { keyId: 7 as unknown as string } };
    const work = database.withTransaction((tx) => createOutbox(database).append(tx, apiKeyChanged, wrong));
    await expect(work).rejects.toMatchObject({ name: 'ZodError' });
    expect(await row('wrong')).toBeNull();
  });

  it('is told to the relay of the process after the commit, not after an abort', async () => {
    let told = 0;
    const end = onOutboxAppended(database, () => (told += 1));
    const aborted = database.withTransaction(async (tx) => {
      await rotate(tx, 'told-aborted');
      throw new Error('no');
    });
    await expect(aborted).rejects.toThrow('no');
    expect(told).toBe(0);
    await database.withTransaction((tx) => rotate(tx, 'told'));
    expect(told).toBe(1);
    end();
  });
});

describe('many outbox messages', () => {
  const messages = (...keys: string[]) => keys.map((key) => outboxMessage(apiKeyChanged, message(key)));
  const appendMany = (...keys: string[]) =>
    database.withTransaction((tx) => createOutbox(database).appendMany(tx, messages(...keys)));

  it('are added in their order, each type and key once, and what is new is counted', async () => {
    expect(await appendMany('many-1', 'many-2')).toBe(2);
    expect(await appendMany('many-4', 'many-2', 'many-3', 'many-3')).toBe(2);
    const rows = await outboxCollection(database).find().sort({ seq: 1 }).toArray();
    const keys = rows.map(({ body }) => (JSON.parse(body) as { data: { keyId: string } }).data.keyId);
    expect(keys).toEqual(['many-1', 'many-2', 'many-4', 'many-3']);
    expect(await appendMany()).toBe(0);
  });

  it('are one command, however many they are', async () => {
    const watched = await open(monitored(environment.mongoUrl));
    const append = (keys: string[]) =>
      watched.withTransaction((tx) => createOutbox(watched).appendMany(tx, messages(...keys)));
    const sent = await sentCommands(watched, () => append(Array.from({ length: 50 }, (_, index) => `each-${index}`)));
    await watched.close();
    expect(sent.map(({ name }) => name)).toEqual(['update', 'commitTransaction']);
  });

  it('are refused together when the data of one does not fit its schema', async () => {
    const wrong = { ...message('many-wrong'), data: { keyId: 7 as unknown as string } };
    const work = database.withTransaction((tx) =>
      createOutbox(database).appendMany(tx, [...messages('many-right'), outboxMessage(apiKeyChanged, wrong)]),
    );
    await expect(work).rejects.toMatchObject({ name: 'ZodError' });
    expect(await row('many-right')).toBeNull();
  });

  it('are told to the relay of the process once', async () => {
    let told = 0;
    const end = onOutboxAppended(database, () => (told += 1));
    await appendMany('told-1', 'told-2');
    await appendMany('told-1', 'told-2');
    expect(told).toBe(1);
    end();
  });
});

describe('an append whose commit succeeds while its caller sees an error', () => {
  it('is emitted once when the caller repeats it', async () => {
    const { hostname: host, port } = new URL(environment.mongoUrl);
    const fault = await createTcpFault({ target: { host, port: Number(port) } });
    const behindFault = await open(fault.through(environment.mongoUrl));
    const lost = fault.cutAfter('commitTransaction').then(() => fault.block());
    await expect(behindFault.withTransaction((tx) => rotate(tx, 'timed-out', behindFault))).rejects.toThrow();
    await lost;
    const first = await row('timed-out');
    expect(first).not.toBeNull();
    fault.unblock();
    // The driver looks for a lost server only from time to time.
    const repeated = await eventually(() => behindFault.withTransaction((tx) => rotate(tx, 'timed-out', behindFault)));
    expect(repeated).toBe(false);
    expect(await row('timed-out')).toEqual(first);
    await behindFault.close();
    await fault.close();
  });
});

describe('the outbox indexes', () => {
  it('answer what the relay asks for, without a scan', async () => {
    const rows = outboxCollection(database);
    await explainUsesIndex(rows.find({ state: 'pending' }, { sort: { seq: 1 }, limit: 200 }));
    await explainUsesIndex(rows.find({ state: 'deferred' }, { sort: { at: 1 }, limit: 1 }));
    await explainUsesIndex(rows.find({ state: 'deferred', retryAt: { $lte: new Date() } }));
  });

  it('forget published rows after 7 days, and unpublished ones never', async () => {
    const indexes = await outboxCollection(database).indexes();
    expect(indexes).toContainEqual(
      expect.objectContaining({ key: { publishedAt: 1 }, expireAfterSeconds: 7 * 24 * 3600 }),
    );
  });
});
