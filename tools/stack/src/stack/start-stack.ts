import fs from 'node:fs';
import path from 'node:path';
import { StackError } from '../system/errors.ts';
import { isPortFree } from '../system/ports.ts';
import { endRecordedProcesses } from '../system/process-registry.ts';
import { createProvisionContext } from '../provision/context.ts';
import { seedSampleData } from './app-commands.ts';
import { APPS } from './apps.ts';
import { bringUp } from './bring-up.ts';
import { REPOSITORY_ROOT } from './home.ts';
import { areKeysAccepted, makeKeys } from './keys.ts';
import { withReplicas } from './replicas.ts';
import { createRunningStack } from './running-stack.ts';
import type { RunningStack, StackParts } from './running-stack.ts';
import type { StackFile } from './stack-file.ts';
import type { Start, StartOptions } from './start.ts';

const ORPHAN_GRACE_MS = 10_000;
const DEFAULT_GATEWAY_PORT = 8080;

/**
 * Creates the stack and a function that starts it. They are separate so that a start which fails or is aborted half way
 * leaves a stack that can be closed.
 */
export function prepareStack(options: StartOptions): { stack: RunningStack; start: () => Promise<StackFile> } {
  const { home, env, signal, progress, form } = options;
  const repositoryRoot = options.repositoryRoot ?? REPOSITORY_ROOT;
  const context = createProvisionContext({ home: home.directory, env, signal });
  const log = (line: string) => progress.message(line);
  const parts: StackParts = { home, form, registry: context.registry, apps: [], log };
  const stack = createRunningStack(parts);
  const start: Start = {
    options,
    repositoryRoot,
    programs: { appsDirectory: options.appsDirectory ?? path.join(repositoryRoot, 'apps'), form },
    apps: withReplicas(options.apps ?? APPS, env['CLEW_REPLICAS']),
    gatewayPort: gatewayPort(env),
    context,
    parts,
    stack,
  };
  return { stack, start: () => startAll(start) };
}

function gatewayPort(env: NodeJS.ProcessEnv): number {
  const text = env['CLEW_PORT'] ?? String(DEFAULT_GATEWAY_PORT);
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new StackError(`CLEW_PORT is not a port: ${text}`);
  return port;
}

async function startAll(start: Start): Promise<StackFile> {
  const { home, env, progress, signal } = start.options;
  await cleanUp(start);
  const { environment, ...broughtUp } = await bringUp(start);
  let { keys } = broughtUp;
  if (!(await areKeysAccepted(start, keys))) {
    keys = await progress.step('keys', (step) => makeKeys(start, environment, step));
    start.parts.keys = keys;
  }
  const gatewayUrl = `http://127.0.0.1:${start.gatewayPort}`;
  const seed = { home, env, signal, keys, gatewayUrl, repositoryRoot: start.repositoryRoot };
  await progress.step('sample data', (step) => seedSampleData(seed, step));
  return start.stack.open();
}

async function cleanUp({ options, gatewayPort: port, parts }: Start): Promise<void> {
  const ended = await endRecordedProcesses(parts.home.processesFile, ORPHAN_GRACE_MS);
  if (ended.length > 0) options.progress.message(`ended what an earlier run left behind: ${ended.join(', ')}`);
  fs.rmSync(parts.home.stackFile, { force: true });
  if (await isPortFree(port)) return;
  throw new StackError(
    `port ${port} of 127.0.0.1, which the gateway is to have, is taken by another program`,
    'End that program, or choose another port: CLEW_PORT=8090 npm start',
  );
}
