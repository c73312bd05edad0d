import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'amqplib';
import mongoose from 'mongoose';
import { createTestDatabase, createTestVhost, useTestEnvironment } from './test-environment.ts';
import { startTestServers, type TestServers } from './test-servers.ts';

const environment = useTestEnvironment();
let servers: TestServers;

beforeAll(async () => {
  servers = await startTestServers();
});

afterAll(() => servers.stop());

async function databaseNames(mongoUrl: string): Promise<string[]> {
  const connection = await mongoose.createConnection(mongoUrl).asPromise();
  const { databases } = await connection.getClient().db('admin').admin().listDatabases();
  await connection.close();
  return databases.map(({ name }) => name);
}

describe('a test environment', () => {
  it('has a database with transactions and a vhost that it shares with nobody', async () => {
    const connection = await mongoose
      .createConnection(environment.mongoUrl, { dbName: environment.database })
      .asPromise();
    await connection.transaction(async (session) => {
      await connection.getClient().db(environment.database).collection('things').insertOne({}, { session });
    });
    await connection.close();
    expect(await databaseNames(environment.mongoUrl)).toContain(environment.database);
    const broker = await connect(environment.amqpUrl);
    await broker.close();
    expect(new URL(environment.amqpUrl).pathname).toBe(`/${environment.vhost}`);
  });
});

describe('a test database', () => {
  it('is gone once it is dropped', async () => {
    const { database, mongoUrl, drop } = await createTestDatabase(servers);
    const connection = await mongoose.createConnection(mongoUrl, { dbName: database }).asPromise();
    await connection.getClient().db(database).collection('things').insertOne({});
    await connection.close();
    await drop();
    expect(await databaseNames(mongoUrl)).not.toContain(database);
  });
});

describe('a test vhost', () => {
  it('is gone once it is removed', async () => {
    const vhost = await createTestVhost(servers);
    const broker = await connect(vhost.amqpUrl);
    await broker.close();
    await vhost.remove();
    await expect(connect(vhost.amqpUrl)).rejects.toThrow();
  });
});
