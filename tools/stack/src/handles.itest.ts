import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import amqp from 'amqplib';
import { MongoClient } from 'mongodb';
import { provisionMongo, provisionRabbit } from './handles.ts';
import type { ServerHandle } from './handles.ts';
import { useTemporaryDirectory } from './test-support/temporary-directory.ts';

const START_TIMEOUT_MS = 300_000;

const started: ServerHandle[] = [];
// Runs before the directory is removed, because the servers still write to it.
afterAll(() => Promise.all(started.map((server) => server.stop({ immediately: true }))));
const directory = useTemporaryDirectory();

// Ignores servers that the environment names, because this test kills servers.
const { MONGO_URL: _mongoUrl, AMQP_URL: _amqpUrl, ...env } = process.env;

function keep<T extends ServerHandle>(server: T): T {
  started.push(server);
  return server;
}

describe('a MongoDB that was provided', () => {
  it(
    'keeps acknowledged writes and its address through kill -9 and a restart',
    async () => {
      const mongo = keep(await provisionMongo({ home: path.join(directory(), 'mongo'), env }));
      const client = new MongoClient(mongo.url);
      const notes = client.db('test').collection('notes', { writeConcern: { w: 'majority', journal: true } });
      const session = client.startSession();
      await session.withTransaction(() => notes.insertOne({ text: 'kept' }, { session }));
      process.kill(mongo.pid ?? 0, 'SIGKILL');
      await mongo.restart();
      expect(await notes.countDocuments({ text: 'kept' })).toBe(1);
      await session.endSession();
      await client.close();
    },
    START_TIMEOUT_MS,
  );
});

describe('a RabbitMQ that was provided', () => {
  it(
    'keeps confirmed messages and its address through kill -9 and a restart',
    async () => {
      const rabbit = keep(await provisionRabbit({ home: path.join(directory(), 'rabbitmq'), env }));
      expect(await takeOne(rabbit.amqpUrl)).toBeUndefined();
      // RabbitMQ writes a new queue to disk only after some seconds or at an orderly shutdown.
      await rabbit.restart();
      await publish(rabbit.amqpUrl, 'kept');
      process.kill(rabbit.pid ?? 0, 'SIGKILL');
      await rabbit.restart();
      expect(await takeOne(rabbit.amqpUrl)).toBe('kept');
    },
    START_TIMEOUT_MS,
  );
});

const QUEUE = 'notes';
const QUORUM = { durable: true, arguments: { 'x-queue-type': 'quorum' } };

async function publish(url: string, text: string): Promise<void> {
  const connection = await amqp.connect(url);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(QUEUE, QUORUM);
  channel.sendToQueue(QUEUE, Buffer.from(text), { persistent: true });
  await channel.waitForConfirms();
  await connection.close();
}

async function takeOne(url: string): Promise<string | undefined> {
  const connection = await amqp.connect(url);
  const channel = await connection.createChannel();
  await channel.assertQueue(QUEUE, QUORUM);
  const message = await channel.get(QUEUE, { noAck: true });
  await connection.close();
  return message === false ? undefined : message.content.toString();
}
