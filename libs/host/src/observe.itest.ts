import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectMongo, type Database } from '@clew/persistence';
import { createMetrics, createReadiness, silentLogger } from '@clew/runtime';
import { useTestEnvironment } from '@clew/testing';
import { observeDatabaseDisk, observeReadiness } from './observe.ts';

const environment = useTestEnvironment();

const told = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
  (await metrics.metrics()).split('\n').filter((line) => line.startsWith(`${name}{`));

describe('readiness', () => {
  it('is told check by check, as the probe finds it', async () => {
    let isThere = false;
    const metrics = createMetrics('test');
    const broker = { name: 'broker', check: () => (isThere ? Promise.resolve() : Promise.reject(new Error('away'))) };
    const readiness = createReadiness([{ name: 'mongo', check: () => Promise.resolve() }, broker]);
    observeReadiness(metrics, readiness);
    const [mongo, away] = ['clew_ready{check="mongo",service="test"} 1', 'clew_ready{check="broker",service="test"} 0'];
    expect(await told(metrics, 'clew_ready')).toEqual([mongo, away]);
    isThere = true;
    expect(await told(metrics, 'clew_ready')).toEqual([mongo, 'clew_ready{check="broker",service="test"} 1']);
    readiness.startDraining();
    expect(await told(metrics, 'clew_ready')).toEqual(['clew_ready{check="draining",service="test"} 0']);
  });
});

describe('the disk of a database', () => {
  let database: Database;
  beforeAll(async () => {
    database = await connectMongo({
      url: environment.mongoUrl,
      database: environment.database,
      ...{ appName: 'test', logger: silentLogger() },
    });
    await database.connection.collection('things').insertOne({ text: 'x' });
  });
  afterAll(async () => database.close());

  it('is told with what the database takes of it', async () => {
    const metrics = createMetrics('test');
    observeDatabaseDisk(metrics, database, silentLogger());
    const figure = async (name: string) => Number((await told(metrics, name))[0]?.split(' ')[1]);
    const [size, used, total] = await Promise.all([
      figure('clew_database_size_bytes'),
      figure('clew_database_disk_used_bytes'),
      figure('clew_database_disk_total_bytes'),
    ]);
    expect(size).toBeGreaterThan(0);
    expect(used).toBeGreaterThan(size);
    expect(total).toBeGreaterThan(used);
  });

  it('is left out, and nothing else with it, while nobody can tell', async () => {
    const metrics = createMetrics('test');
    const away = { connection: { db: { command: () => Promise.reject(new Error('away')) } } } as unknown as Database;
    observeDatabaseDisk(metrics, away, silentLogger());
    expect(await told(metrics, 'clew_database_disk_used_bytes')).toEqual([]);
    expect(await told(metrics, 'process_start_time_seconds')).toHaveLength(1);
  });
});
