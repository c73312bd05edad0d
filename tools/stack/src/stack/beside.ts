import path from 'node:path';
import { StackError } from '../system/errors.ts';
import { createPortBook, findFreePort } from '../system/ports.ts';
import { sendSignal } from '../system/process-identity.ts';
import { createProcessRegistry } from '../system/process-registry.ts';
import { createAppInstances } from './app-instances.ts';
import { APPS } from './apps.ts';
import { createHome, REPOSITORY_ROOT } from './home.ts';
import { loadSecrets } from './secrets.ts';
import { readStackFile } from './stack-file.ts';

/** A process of an application beside those of a running stack, which knows nothing of it. */
export interface ProcessBeside {
  url: string;
  operationsUrl?: string | undefined;
  /** Tells it to end with SIGTERM, and resolves with how it ended: `exit code 0`. */
  end(): Promise<string>;
  stop(): Promise<void>;
}

export interface BesideOptions {
  /** `alive`: it may still wait for its servers. */
  startedWhen?: 'alive' | 'ready';
}

/**
 * Starts one more process of an application on the servers and keys of a running stack, with settings of its own: an
 * edge deployment, or a gateway with other limits. Resolves once it is ready, or lives.
 */
export async function startBeside(
  homeDirectory: string,
  appName: string,
  settings: NodeJS.ProcessEnv,
  { startedWhen = 'ready' }: BesideOptions = {},
): Promise<ProcessBeside> {
  const stack = readStackFile(homeDirectory);
  const definition = APPS.find(({ name }) => name === appName);
  if (stack === undefined) throw new StackError(`no stack runs in ${homeDirectory}`);
  if (definition === undefined) throw new StackError(`there is no application ${appName}`);
  const home = createHome(homeDirectory);
  const besideDirectory = path.join(home.directory, 'beside');
  const instances = createAppInstances(definition, {
    appsDirectory: path.join(REPOSITORY_ROOT, 'apps'),
    // Not the logs of the stack's own process of that name.
    logsDirectory: besideDirectory,
    environment: {
      home,
      mongoUrl: stack.mongoUrl,
      amqpUrl: stack.amqpUrl,
      authSecret: loadSecrets(home).authSecret,
      addresses: new Map(Object.entries(stack.services).map(([name, { url }]) => [name, url])),
      // What the caller itself is run with is not for applications.
      userEnvironment: { ...process.env, NODE_OPTIONS: '', ...settings },
    },
    firstPort: await findFreePort(),
    ports: createPortBook(path.join(besideDirectory, 'ports.json')),
    // With the others, so that the next start of the stack ends what a killed caller has left.
    registry: createProcessRegistry(home.processesFile),
    log: () => undefined,
    onChange: () => undefined,
    ...(startedWhen === 'alive' ? { startedPath: definition.healthPath } : {}),
  });
  await instances.scaleTo(1);
  const [instance] = instances.list();
  if (instance === undefined) throw new Error('The process was started and is not there');
  const { url, operationsUrl, unit } = instance;
  return {
    ...{ url, operationsUrl },
    async end() {
      instances.release();
      const { promise, resolve } = Promise.withResolvers<string>();
      unit.onExit(({ ending }) => resolve(ending));
      const pid = unit.pid();
      if (pid === undefined || !sendSignal(pid, 'SIGTERM')) throw new Error(`${appName} has ended by itself`);
      return await promise;
    },
    stop: () => instances.scaleTo(0),
  };
}
