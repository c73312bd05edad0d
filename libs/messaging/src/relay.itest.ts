import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  connectMongo,
  createInbox,
  createLease,
  createOutbox,
  ensureInbox,
  nativeDb,
  outboxCollection,
  ensureOutbox,
  type Database,
  type OutboxRow,
} from '@clew/persistence';
import { eventually, monitored, sentCommands, silentLogger, useTestEnvironment, useCleanup } from '@clew/testing';
import {
  BrokerUnavailableError,
  consume,
  createPublisher,
  PublishRejectedError,
  queueDepth,
  startRelay,
  type Broker,
  type Publisher,
  type QueueSpec,
  type Relay,
  type RelayOptions,
} from './index.ts';
import {
  envelope,
  hasLength,
  noted,
  openBehindFault,
  openBroker,
  prepareTopology,
  queueNamed,
} from './test-support/fixture.ts';

const environment = useTestEnvironment();
const cleanup = useCleanup();
const logger = silentLogger();
let database: Database;
let broker: Broker;
let publisher: Publisher;
let queue: QueueSpec<typeof noted>;
let run = 0;

beforeAll(async () => {
  const { mongoUrl: url, database: name } = environment;
  database = await connectMongo({ url: monitored(url), database: name, appName: 'test', logger });
  await ensureOutbox(database.connection);
  await ensureInbox(database.connection);
  broker = await openBroker(environment.amqpUrl);
  publisher = createPublisher(broker);
});

beforeEach(async () => {
  run += 1;
  queue = queueNamed(`relayed-${run}`);
  await declare(queue);
  await outboxCollection(database).deleteMany({});
});

afterAll(async () => {
  await publisher.close();
  await broker.close();
  await database.close();
});

async function declare(spec: QueueSpec): Promise<void> {
  await prepareTopology(environment.amqpUrl, [spec]);
}

function start(options: Partial<RelayOptions> = {}): Relay {
  const relay = startRelay({ database, publisher, logger, pollMs: 10, isMandatory: () => true, ...options });
  cleanup(() => relay.stop());
  return relay;
}

async function append(spec: QueueSpec['message'], ...texts: string[]): Promise<void> {
  const outbox = createOutbox(database);
  await database.withTransaction(async (tx) => {
    for (const text of texts) {
      const { projectId, requestId, data, occurredAt } = envelope(spec, text);
      await outbox.append(tx, spec, { key: text, projectId, requestId, data, occurredAt });
    }
  });
}

async function publishUntilRefused(full: QueueSpec): Promise<never> {
  for (;;) await publisher.publish(full.message, envelope(full.message, 'filler'));
}

async function states(): Promise<Record<string, OutboxRow['state']>> {
  const rows = await outboxCollection(database).find().toArray();
  return Object.fromEntries(rows.map((row) => [row._id.split(':')[1] ?? '', row.state]));
}

async function drain(of: QueueSpec = queue): Promise<string[]> {
  const channel = await broker.openChannel();
  const ids: string[] = [];
  for (;;) {
    const message = await channel.get(of.name, { noAck: true });
    if (message === false) break;
    ids.push(String(message.properties.messageId).split(':')[1] ?? '');
  }
  await channel.close();
  return ids;
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`);

describe('the relay', () => {
  it('publishes committed messages in their order, with the id of the row, and marks them, which leaves no word of them', async () => {
    await append(queue.message, ...numbered(25));
    start({ batchSize: 10 });
    await eventually(async () => expect(new Set(Object.values(await states()))).toEqual(new Set(['published'])));
    expect(await drain()).toEqual(numbered(25));
    const [row] = await outboxCollection(database).find().toArray();
    expect(row).toMatchObject({ publishedAt: expect.any(Date), body: '' });
  });

  it('tells of nothing that could be rolled back, or that a snapshot of a majority does not show yet', async () => {
    const sent = await sentCommands(database, async () => {
      start();
      await append(queue.message, 'a');
      await eventually(async () => expect(await states()).toEqual({ a: 'published' }));
    });
    const reads = sent.filter(({ name, command }) => name === 'find' && 'limit' in command && 'sort' in command);
    expect(reads.length).toBeGreaterThan(0);
    for (const { command } of reads) expect(command).toMatchObject({ readConcern: { level: 'majority' } });
  });

  it('hands on the trace of the request that wrote a row, also where it tells none itself', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await append(queue.message, 'a');
    await outboxCollection(database).updateMany({}, { $set: { traceparent } });
    start();
    const channel = await broker.openChannel();
    cleanup(() => channel.close());
    const message = await eventually(async () => {
      const found = await channel.get(queue.name);
      if (found === false) throw new Error('nothing came yet');
      return found;
    });
    expect(message.properties.headers).toMatchObject({ traceparent });
  });

  it('does not put off what another relay has published meanwhile, which would be sent again without its words', async () => {
    await append(queue.message, 'a');
    const rows = outboxCollection(database);
    let refusals = 0;
    const overtaken: Publisher = {
      ...publisher,
      async publishRaw() {
        await rows.updateMany({}, { $set: { state: 'published', publishedAt: new Date(), body: '' } });
        refusals += 1;
        throw new Error('the queue is full');
      },
    };
    const relay = start({ publisher: overtaken });
    await eventually(() => expect(refusals).toBe(1));
    await relay.stop();
    expect(await states()).toEqual({ a: 'published' });
  });

  it('is woken by a commit of its own process', async () => {
    start({ pollMs: 60_000 });
    await append(queue.message, 'a');
    await eventually(async () => expect(await states()).toEqual({ a: 'published' }));
  });

  it('keeps what it cannot publish while the broker is away, and catches up', async () => {
    const { broker: behindFault, fault } = await openBehindFault(environment);
    const local = createPublisher(behindFault, { maxWaitMs: 20 });
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    cleanup(() => local.close());
    fault.block();
    await eventually(() => expect(behindFault.isConnected()).toBe(false));
    const relay = start({ publisher: local });
    await append(queue.message, ...numbered(5));
    await eventually(async () => expect((await relay.backlog()).oldestAgeMs).toBeGreaterThan(100));
    expect((await relay.backlog()).waiting).toBe(5);
    fault.unblock();
    await eventually(async () => expect(await relay.backlog()).toEqual({ waiting: 0, oldestAgeMs: 0, givenUp: 0 }));
    expect(await drain()).toEqual(numbered(5));
  });

  it('puts aside what no queue is bound for, publishes what is behind it, and tries again', async () => {
    const later = queueNamed(`later-${run}`);
    await append(later.message, 'stranded');
    await append(queue.message, 'a', 'b');
    const relay = start();
    await eventually(async () =>
      expect(await states()).toEqual({ stranded: 'deferred', a: 'published', b: 'published' }),
    );
    expect((await relay.backlog()).waiting).toBe(1);
    await declare(later);
    await eventually(async () => expect(await states()).toMatchObject({ stranded: 'published' }));
    expect(await drain(later)).toEqual(['stranded']);
  });

  it('puts aside what a full queue refuses, and publishes the rest', async () => {
    const full = queueNamed(`full-${run}`, { maxLengthBytes: 300 });
    await declare(full);
    // The limit is not exact: a burst may exceed it.
    await expect(publishUntilRefused(full)).rejects.toThrow(PublishRejectedError);
    await append(full.message, 'refused');
    await append(queue.message, 'a');
    start();
    await eventually(async () => expect(await states()).toEqual({ refused: 'deferred', a: 'published' }));
    expect(await drain()).toEqual(['a']);
  });

  it('lets an event go that no durable queue is for', async () => {
    await append(noted, 'nobody listens');
    const relay = startRelay({ database, publisher, logger, pollMs: 10 });
    cleanup(() => relay.stop());
    await eventually(async () => expect(await states()).toEqual({ 'nobody listens': 'published' }));
  });

  it('publishes each message once where two replicas run', async () => {
    const relays = [start(), start()];
    for (let batch = 0; batch < 10; batch += 1) {
      await append(queue.message, ...numbered(20).map((text) => `${batch}-${text}`));
    }
    await eventually(async () =>
      expect(await relays[0]?.backlog()).toEqual({ waiting: 0, oldestAgeMs: 0, givenUp: 0 }),
    );
    const ids = await drain();
    expect(ids).toHaveLength(200);
    expect(new Set(ids).size).toBe(200);
  });

  it('takes over from a replica that died', async () => {
    await createLease(database, 'outbox-relay', 300).acquire();
    await append(queue.message, 'a');
    const relay = start();
    expect(await states()).toEqual({ a: 'pending' });
    await eventually(async () => expect(await states()).toEqual({ a: 'published' }));
    expect(relay.heartbeatAgeMs()).toBeLessThan(5_000);
  });

  it('publishes what is there before it ends, and gives its place to another replica', async () => {
    const relay = startRelay({ database, publisher, logger, pollMs: 60_000, isMandatory: () => true });
    await append(queue.message, ...numbered(30));
    await relay.stop();
    expect(await drain()).toEqual(numbered(30));
    expect(await createLease(database, 'outbox-relay', 1).acquire()).toBe(true);
  });
});

describe('a relay that is killed between the confirm and the mark', () => {
  it('publishes again with the same id, and the consumer lets it take effect once', async () => {
    const dying: Publisher = {
      ...publisher,
      async publishRaw(...message) {
        await publisher.publishRaw(...message);
        throw new BrokerUnavailableError('killed before the mark');
      },
    };
    await append(queue.message, 'a', 'b');
    const killed = startRelay({ database, publisher: dying, logger, pollMs: 60_000, isMandatory: () => true });
    await eventually(async () => expect((await queueDepth(broker, queue)).messages).toBe(2));
    await killed.stop();
    expect(await states()).toEqual({ a: 'pending', b: 'pending' });

    const deliveries: string[] = [];
    const effects = nativeDb(database.connection).collection<{ _id: string; count: number }>('effects');
    const inbox = createInbox(database, queue.name);
    const consumer = consume({
      broker,
      queue,
      logger,
      async handle({ id, data }) {
        await database.withTransaction(async (tx) => {
          const fresh = await inbox.accept(tx, [id]);
          if (!fresh.has(id)) return;
          await effects.updateOne({ _id: data.keyId }, { $inc: { count: 1 } }, { upsert: true, session: tx });
        });
        deliveries.push(data.keyId);
      },
    });
    cleanup(() => consumer.stop());
    start();
    await hasLength(deliveries, 4);
    expect(deliveries.toSorted().filter((text, index, all) => text !== all[index - 1])).toEqual(['a', 'b']);
    expect(await effects.find({}, { sort: { _id: 1 } }).toArray()).toEqual([
      { _id: 'a', count: 1 },
      { _id: 'b', count: 1 },
    ]);
    expect(await states()).toEqual({ a: 'published', b: 'published' });
  });
});
