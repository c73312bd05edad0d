import path from 'node:path';
import { StackError } from '../system/errors.ts';
import { createPortBook, findFreePort } from '../system/ports.ts';
import { createProcessRegistry } from '../system/process-registry.ts';
import { createAppInstances } from './app-instances.ts';
import { APPS } from './apps.ts';
import { createHome, REPOSITORY_ROOT } from './home.ts';
import { loadSecrets } from './secrets.ts';
import { readStackFile } from './stack-file.ts';

/** A process of an application beside those of a running stack, which knows nothing of it. */
export interface ProcessBeside {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts one more process of an application on the servers and keys of a running stack, with settings of its own: an
 * edge deployment, or a gateway with other limits. Resolves once it is ready.
 */
export async function startBeside(
  homeDirectory: string,
  appName: string,
  settings: NodeJS.ProcessEnv,
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
  });
  await instances.scaleTo(1);
  const [instance] = instances.list();
  if (instance === undefined) throw new Error('The process was started and is not there');
  return { url: instance.url, stop: () => instances.scaleTo(0) };
}
