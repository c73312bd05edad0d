import mongoose from 'mongoose';
import { provision } from './provisioned.ts';

/** URLs of the servers for tests, with credentials. */
export interface TestServers {
  mongoUrl: string;
  amqpUrl: string;
  /** Management HTTP API of RabbitMQ; undefined if it has none. */
  managementUrl: string | undefined;
  /** Stops the servers that were started for the caller; servers from the environment stay. */
  stop(): Promise<void>;
}

const MONGO_IMAGE = 'mongo:7.0';
const RABBIT_IMAGE = 'rabbitmq:4.1-management';

/**
 * Provides MongoDB (a replica set) and RabbitMQ for tests: those that CLEW_TEST_MONGO_URL, CLEW_TEST_AMQP_URL and
 * CLEW_TEST_AMQP_MANAGEMENT_URL name, else containers if Docker answers, else the development stack's own.
 */
export async function startTestServers(): Promise<TestServers> {
  const servers = serversFromEnvironment() ?? (await startContainers()) ?? (await startFromStack());
  await stopExpiry(servers);
  return servers;
}

/**
 * Stops the removal of expired documents: it goes by the server's clock, and once a minute it would remove what a test
 * wrote by a clock of its own.
 */
async function stopExpiry({ mongoUrl }: Pick<TestServers, 'mongoUrl'>): Promise<void> {
  const connection = await mongoose.createConnection(mongoUrl).asPromise();
  await connection.getClient().db('admin').command({ setParameter: 1, ttlMonitorEnabled: false });
  await connection.close();
}

function serversFromEnvironment(): TestServers | undefined {
  const {
    CLEW_TEST_MONGO_URL: mongoUrl,
    CLEW_TEST_AMQP_URL: amqpUrl,
    CLEW_TEST_AMQP_MANAGEMENT_URL: managementUrl,
  } = process.env;
  if (!mongoUrl || !amqpUrl) return undefined;
  return { mongoUrl, amqpUrl, managementUrl, stop: async () => undefined };
}

async function startContainers(): Promise<TestServers | undefined> {
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
  try {
    await getContainerRuntimeClient();
  } catch {
    return undefined;
  }
  const [mongo, rabbit] = await Promise.all([
    new GenericContainer(MONGO_IMAGE)
      .withExposedPorts(27017)
      .withCommand(['--replSet', 'rs0', '--bind_ip_all'])
      .withWaitStrategy(Wait.forLogMessage('Waiting for connections'))
      .start(),
    new GenericContainer(RABBIT_IMAGE)
      .withExposedPorts(5672, 15672)
      .withWaitStrategy(Wait.forLogMessage('Server startup complete'))
      .start(),
  ]);
  const mongoUrl = `mongodb://${mongo.getHost()}:${mongo.getMappedPort(27017)}/?directConnection=true`;
  await initiateReplicaSet(mongoUrl);
  return {
    mongoUrl,
    amqpUrl: `amqp://guest:guest@${rabbit.getHost()}:${rabbit.getMappedPort(5672)}`,
    managementUrl: `http://guest:guest@${rabbit.getHost()}:${rabbit.getMappedPort(15672)}`,
    async stop() {
      await Promise.all([mongo.stop(), rabbit.stop()]);
    },
  };
}

async function initiateReplicaSet(mongoUrl: string): Promise<void> {
  const connection = await mongoose.createConnection(mongoUrl).asPromise();
  const admin = connection.getClient().db('admin');
  await admin.command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: '127.0.0.1:27017' }] } });
  // The member elects itself; a majority write waits for that.
  await admin.collection('ready').insertOne({}, { writeConcern: { w: 'majority' } });
  await connection.close();
}

async function startFromStack(): Promise<TestServers> {
  const [mongo, rabbit] = await Promise.all([provision('provisionMongo'), provision('provisionRabbit')]);
  return {
    mongoUrl: mongo.server.url,
    amqpUrl: rabbit.server.amqpUrl,
    managementUrl: rabbit.server.managementUrl,
    async stop() {
      await Promise.all([mongo.stop(), rabbit.stop()]);
    },
  };
}
