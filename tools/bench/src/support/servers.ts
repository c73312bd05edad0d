import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateTopology } from '@clew/messaging';
import { silentLogger } from '@clew/runtime';
import { provisionMongo, provisionRabbit } from '@clew/stack';

/** MongoDB and RabbitMQ for a benchmark, with the topology that the migration step declares. */
export interface Servers {
  mongoUrl: string;
  amqpUrl: string;
  /** Process of MongoDB; undefined if somebody else runs it. */
  mongodPid: number | undefined;
  stop(): Promise<void>;
}

/** Servers named by CLEW_TEST_MONGO_URL and CLEW_TEST_AMQP_URL, otherwise new ones that end with the benchmark. */
export async function openServers(): Promise<Servers> {
  const { CLEW_TEST_MONGO_URL: mongoUrl, CLEW_TEST_AMQP_URL: amqpUrl } = process.env;
  if (mongoUrl && amqpUrl) {
    await migrateTopology({ url: amqpUrl, logger: silentLogger() });
    return { mongoUrl, amqpUrl, mongodPid: undefined, stop: async () => undefined };
  }
  const home = mkdtempSync(join(tmpdir(), 'clew-bench-servers-'));
  const [mongo, rabbit] = await Promise.all([provisionMongo({ home }), provisionRabbit({ home })]);
  await migrateTopology({ url: rabbit.amqpUrl, logger: silentLogger() });
  return {
    mongoUrl: mongo.url,
    amqpUrl: rabbit.amqpUrl,
    mongodPid: mongo.pid,
    async stop() {
      await Promise.all([mongo.stop({ immediately: true }), rabbit.stop({ immediately: true })]);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
