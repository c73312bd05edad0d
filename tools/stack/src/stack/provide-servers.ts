import path from 'node:path';
import { rotateLog } from '../system/files.ts';
import type { ProvidedServer, ProvisionContext } from '../provision/context.ts';
import { startMongo } from '../provision/mongo/provision.ts';
import type { MongoServer } from '../provision/mongo/replica-set.ts';
import { startRabbit } from '../provision/rabbit/provision.ts';
import type { RabbitServer } from '../provision/rabbit/ready.ts';
import type { Progress } from './progress.ts';
import type { StackParts } from './running-stack.ts';

export interface ProvideServersOptions {
  context: ProvisionContext;
  parts: StackParts;
  progress: Progress;
  signal: AbortSignal;
}

/** Begins to provide MongoDB and RabbitMQ side by side; each becomes part of the stack once it serves. */
export function provideServers({ context, parts, progress, signal }: ProvideServersOptions): {
  mongo: Promise<MongoServer>;
  rabbit: Promise<RabbitServer>;
} {
  const server = <T extends ProvidedServer>(name: string, start: (own: ProvisionContext) => Promise<T>) =>
    progress.step(name, async (step) => {
      const provided = await start({ ...context, signal, log: (line) => step.note(line) });
      step.summary(provided.description);
      return provided;
    });
  for (const name of ['mongod', 'rabbitmq', 'epmd']) rotateLog(path.join(parts.home.logsDirectory, `${name}.log`));
  return {
    mongo: server('MongoDB', startMongo).then((mongo) => (parts.mongo = mongo)),
    rabbit: server('RabbitMQ', startRabbit).then((rabbit) => (parts.rabbit = rabbit)),
  };
}
