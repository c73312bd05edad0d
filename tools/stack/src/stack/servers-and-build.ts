import path from 'node:path';
import { rotateLog } from '../system/files.ts';
import { allOrAbort } from '../system/waiting.ts';
import type { ProvisionContext } from '../provision/context.ts';
import { startMongo } from '../provision/mongo/provision.ts';
import { startRabbit } from '../provision/rabbit/provision.ts';
import { buildProjects } from './build.ts';
import type { Progress } from './progress.ts';
import type { StackParts } from './running-stack.ts';

export interface ServersAndBuildOptions {
  context: ProvisionContext;
  parts: StackParts;
  progress: Progress;
  signal: AbortSignal;
  env: NodeJS.ProcessEnv;
  repositoryRoot: string;
  build: boolean;
}

/** Provides MongoDB and RabbitMQ and builds, in parallel: they are independent, and each takes its time. */
export async function provideServersAndBuild(options: ServersAndBuildOptions): Promise<void> {
  const { context, parts, progress, env, repositoryRoot } = options;
  const abort = new AbortController();
  const signal = AbortSignal.any([options.signal, abort.signal]);
  const server = <T extends { description: string }>(name: string, start: (own: ProvisionContext) => Promise<T>) =>
    progress.step(name, async (step) => {
      const provided = await start({ ...context, signal, log: (line) => step.note(line) });
      step.summary(provided.description);
      return provided;
    });
  for (const name of ['mongod', 'rabbitmq', 'epmd']) rotateLog(path.join(parts.home.logsDirectory, `${name}.log`));
  await allOrAbort(
    [
      server('MongoDB', startMongo).then((mongo) => (parts.mongo = mongo)),
      server('RabbitMQ', startRabbit).then((rabbit) => (parts.rabbit = rabbit)),
      options.build
        ? progress.step('build', (step) => buildProjects(repositoryRoot, env, signal, step))
        : Promise.resolve(),
    ],
    (reason) => abort.abort(reason),
  );
}
