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

/**
 * Provides MongoDB (a replica set) and RabbitMQ for tests: those that CLEW_TEST_MONGO_URL, CLEW_TEST_AMQP_URL and
 * CLEW_TEST_AMQP_MANAGEMENT_URL name, else servers of the development stack, from Docker if that answers.
 */
export async function startTestServers(): Promise<TestServers> {
  return serversFromEnvironment() ?? (await startFromStack());
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
