import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import mongoose from 'mongoose';
import { startTestServers, type TestServers } from './test-servers.ts';

export interface TestDatabase {
  mongoUrl: string;
  /** Name of the database; nothing else uses it. */
  database: string;
  drop(): Promise<void>;
}

export interface TestVhost {
  /** URL with the vhost as its path. */
  amqpUrl: string;
  name: string;
  remove(): Promise<void>;
}

export interface TestEnvironment {
  readonly mongoUrl: string;
  readonly database: string;
  readonly amqpUrl: string;
  readonly vhost: string;
}

const START_TIMEOUT_MS = 180_000;

/** Chooses a name for a database that does not exist yet. */
export async function createTestDatabase({ mongoUrl }: Pick<TestServers, 'mongoUrl'>): Promise<TestDatabase> {
  const database = uniqueName();
  return {
    mongoUrl,
    database,
    async drop() {
      const connection = await mongoose.createConnection(mongoUrl, { dbName: database }).asPromise();
      await connection.dropDatabase();
      await connection.close();
    },
  };
}

/** Creates a new vhost through the management HTTP API, which also removes it. */
export async function createTestVhost(servers: Pick<TestServers, 'amqpUrl' | 'managementUrl'>): Promise<TestVhost> {
  const name = uniqueName();
  const url = new URL(servers.amqpUrl);
  const user = url.username || 'guest';
  url.pathname = `/${name}`;
  await callManagement(servers, 'PUT', `vhosts/${name}`);
  const permissions = { configure: '.*', write: '.*', read: '.*' };
  await callManagement(servers, 'PUT', `permissions/${name}/${user}`, permissions);
  return {
    amqpUrl: url.href,
    name,
    remove: () => callManagement(servers, 'DELETE', `vhosts/${name}`),
  };
}

/** Gives a test file its own database and vhost. The values are available from `beforeAll` on. */
export function useTestEnvironment(): TestEnvironment {
  let servers: TestServers | undefined;
  let database: TestDatabase | undefined;
  let vhost: TestVhost | undefined;
  beforeAll(async () => {
    servers = await startTestServers();
    [database, vhost] = await Promise.all([createTestDatabase(servers), createTestVhost(servers)]);
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all([database?.drop(), vhost?.remove()]);
    await servers?.stop();
  }, START_TIMEOUT_MS);
  return {
    get mongoUrl() {
      return started(servers).mongoUrl;
    },
    get database() {
      return started(database).database;
    },
    get amqpUrl() {
      return started(vhost).amqpUrl;
    },
    get vhost() {
      return started(vhost).name;
    },
  };
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The test environment is there from beforeAll on');
  return part;
}

function uniqueName(): string {
  return `test_${randomBytes(8).toString('hex')}`;
}

async function callManagement(
  servers: Pick<TestServers, 'amqpUrl' | 'managementUrl'>,
  method: 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<void> {
  if (servers.managementUrl === undefined) throw new Error('Tests need the management API of RabbitMQ');
  const { origin, username, password } = new URL(servers.managementUrl);
  const amqp = new URL(servers.amqpUrl);
  const user = decodeURIComponent(username || amqp.username || 'guest');
  const secret = decodeURIComponent(password || amqp.password || 'guest');
  const response = await fetch(`${origin}/api/${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`RabbitMQ answered ${response.status} to ${method} ${path}`);
}
