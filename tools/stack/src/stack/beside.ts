import path from 'node:path';
import { StackError } from '../system/errors.ts';
import { tailOfFile } from '../system/files.ts';
import { createPortBook, findFreePort } from '../system/ports.ts';
import { sendSignal } from '../system/process-identity.ts';
import { createProcessRegistry } from '../system/process-registry.ts';
import { createAppInstances } from './app-instances.ts';
import { APPS, GATEWAY } from './apps.ts';
import { createHome, REPOSITORY_ROOT } from './home.ts';
import { loadSecrets } from './secrets.ts';
import { readStackFile } from './stack-file.ts';
import { builtWorkbench } from './workbench.ts';

/** Additional process of an application next to a running stack, which does not know about it. */
export interface ProcessBeside {
  url: string;
  operationsUrl?: string | undefined;
  /** Sends SIGTERM, and resolves with the outcome: `exit code 0`, or another one and the last lines of the log. */
  end(): Promise<string>;
  stop(): Promise<void>;
}

export interface BesideOptions {
  /** With `alive`, it may still be waiting for its servers. */
  startedWhen?: 'alive' | 'ready';
  /** Port of the process, where others must know its address before it starts; a free one by default. */
  port?: number;
}

const CLEAN_END = 'exit code 0';
const TOLD_LINES = 5;

/**
 * Starts an additional process of an application with the servers and keys of a running stack but with other settings,
 * such as an edge deployment or a gateway with other limits. Resolves once it is ready or alive.
 */
export async function startBeside(
  homeDirectory: string,
  appName: string,
  settings: NodeJS.ProcessEnv,
  { startedWhen = 'ready', port }: BesideOptions = {},
): Promise<ProcessBeside> {
  const stack = readStackFile(homeDirectory);
  const definition = APPS.find(({ name }) => name === appName);
  if (stack === undefined) throw new StackError(`no stack runs in ${homeDirectory}`);
  if (definition === undefined) throw new StackError(`there is no application ${appName}`);
  const workbenchDirectory = appName === GATEWAY ? builtWorkbench(REPOSITORY_ROOT) : undefined;
  const home = createHome(homeDirectory);
  const besideDirectory = path.join(home.directory, 'beside');
  const instances = createAppInstances(definition, {
    programs: { appsDirectory: path.join(REPOSITORY_ROOT, 'apps'), form: stack.form },
    // Separate from the logs of the stack's process of the same name.
    logsDirectory: besideDirectory,
    environment: {
      home,
      mongoUrl: stack.mongoUrl,
      amqpUrl: stack.amqpUrl,
      ...(workbenchDirectory === undefined ? {} : { workbenchDirectory }),
      authSecret: loadSecrets(home).authSecret,
      addresses: new Map(Object.entries(stack.services).map(([name, { url }]) => [name, url])),
      // Options for the caller's own Node do not apply to applications.
      userEnvironment: { ...process.env, NODE_OPTIONS: '', ...settings },
    },
    firstPort: port ?? (await findFreePort()),
    ports: createPortBook(path.join(besideDirectory, 'ports.json')),
    // Shared registry, so that the next start of the stack ends processes that a killed caller has left.
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
      unit.onExit(({ ending }) => {
        resolve(ending === CLEAN_END ? ending : [ending, ...tailOfFile(unit.logFile, TOLD_LINES)].join('\n'));
      });
      const pid = unit.pid();
      if (pid === undefined || !sendSignal(pid, 'SIGTERM')) throw new Error(`${appName} has ended by itself`);
      return await promise;
    },
    stop: () => instances.scaleTo(0),
  };
}
