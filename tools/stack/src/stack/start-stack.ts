import fs from 'node:fs';
import path from 'node:path';
import { StackError } from '../system/errors.ts';
import { isPortFree } from '../system/ports.ts';
import { endRecordedProcesses } from '../system/process-registry.ts';
import { allOrAbort } from '../system/waiting.ts';
import { createProvisionContext } from '../provision/context.ts';
import type { ProvisionContext } from '../provision/context.ts';
import { bootstrapKeys, migrateApp, seedSampleData } from './app-commands.ts';
import { createAppInstances } from './app-instances.ts';
import { APPS, GATEWAY } from './apps.ts';
import type { AppDefinition } from './apps.ts';
import { appEnvironment, NO_PORTS } from './environment.ts';
import type { EnvironmentSource } from './environment.ts';
import { openToEngines, REPOSITORY_ROOT } from './home.ts';
import type { Home } from './home.ts';
import { prepareIdentityKeys } from './identity-keys.ts';
import type { Progress, Step } from './progress.ts';
import { withReplicas } from './replicas.ts';
import { createRunningStack } from './running-stack.ts';
import type { RunningStack, StackParts } from './running-stack.ts';
import { authSecretOf, loadSecrets, prepareAgentKeys, saveKeys } from './secrets.ts';
import type { Keys } from './secrets.ts';
import type { StackFile } from './stack-file.ts';
import { provideServersAndBuild } from './servers-and-build.ts';

/** Options of a start; tests pass another set of applications. */
export interface StartOptions {
  home: Home;
  env: NodeJS.ProcessEnv;
  progress: Progress;
  /** Aborts the start where it is; `close` then stops the processes that it has started. */
  signal: AbortSignal;
  repositoryRoot?: string;
  appsDirectory?: string;
  apps?: readonly AppDefinition[];
  /** Whether the applications must be built first. */
  build?: boolean;
}

const ORPHAN_GRACE_MS = 10_000;
const DEFAULT_GATEWAY_PORT = 8080;

/** Start in progress. */
interface Start {
  options: StartOptions;
  repositoryRoot: string;
  appsDirectory: string;
  apps: readonly AppDefinition[];
  gatewayPort: number;
  context: ProvisionContext;
  parts: StackParts;
  stack: RunningStack;
}

/**
 * Creates the stack and a function that starts it. They are separate so that a start which fails or is aborted half way
 * leaves a stack that can be closed.
 */
export function prepareStack(options: StartOptions): { stack: RunningStack; start: () => Promise<StackFile> } {
  const { home, env, signal, progress } = options;
  const repositoryRoot = options.repositoryRoot ?? REPOSITORY_ROOT;
  const context = createProvisionContext({ home: home.directory, env, signal });
  const log = (line: string) => progress.message(line);
  const parts: StackParts = { home, registry: context.registry, apps: [], log };
  const stack = createRunningStack(parts);
  const start: Start = {
    options,
    repositoryRoot,
    appsDirectory: options.appsDirectory ?? path.join(repositoryRoot, 'apps'),
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
  await provideServersAndBuild({ ...start, env, progress, signal, build: start.options.build !== false });
  const environment = await progress.step('migrations', (step) => prepareDatabases(start, step));
  let keys = await progress.step('keys', (step) => provideKeys(start, environment, step));
  start.parts.keys = keys;
  await progress.step('apps', (step) => startApps(start, environment, step));
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

async function prepareDatabases(start: Start, step: Step): Promise<EnvironmentSource> {
  const { options, context, parts, apps } = start;
  if (parts.mongo === undefined || parts.rabbit === undefined) throw new Error('the servers are not there yet');
  prepareIdentityKeys(parts.home, apps);
  prepareAgentKeys(parts.home, options.env);
  openToEngines(parts.home);
  const addresses = new Map<string, string>();
  for (const app of apps.filter((candidate) => candidate.name !== GATEWAY)) {
    const port = await context.ports.claim(app.name);
    if (app.isCalled) addresses.set(app.name, `http://127.0.0.1:${port}`);
  }
  const environment: EnvironmentSource = {
    home: parts.home,
    mongoUrl: parts.mongo.url,
    amqpUrl: parts.rabbit.amqpUrl,
    authSecret: authSecretOf(parts.home, options.env),
    addresses,
    userEnvironment: options.env,
  };
  const migrating = apps.filter((app) => app.hasMigrations);
  const abort = new AbortController();
  const signal = AbortSignal.any([options.signal, abort.signal]);
  await allOrAbort(
    migrating.map((app) =>
      migrateApp(start.appsDirectory, app, { env: appEnvironment(environment, app, NO_PORTS), signal }),
    ),
    (reason) => abort.abort(reason),
  );
  step.summary(migrating.map((app) => app.name).join(', '));
  return environment;
}

async function provideKeys(start: Start, environment: EnvironmentSource, step: Step): Promise<Keys> {
  const { keys } = loadSecrets(start.parts.home);
  if (keys === undefined) return makeKeys(start, environment, step);
  step.skip('those of the first start');
  return keys;
}

async function makeKeys(start: Start, environment: EnvironmentSource, step: Step): Promise<Keys> {
  const gateway = start.apps.find((app) => app.name === GATEWAY);
  if (gateway === undefined) throw new Error('there is no gateway among the applications');
  const keys = await bootstrapKeys(path.join(start.appsDirectory, GATEWAY), {
    env: appEnvironment(environment, gateway, NO_PORTS),
    signal: start.options.signal,
  });
  saveKeys(start.parts.home, keys);
  step.summary('two projects, each with a key');
  return keys;
}

async function startApps(start: Start, environment: EnvironmentSource, step: Step): Promise<void> {
  const { options, context, parts } = start;
  const abort = new AbortController();
  const signal = AbortSignal.any([options.signal, abort.signal]);
  const starts = start.apps.map(async (definition) => {
    const app = createAppInstances(definition, {
      appsDirectory: start.appsDirectory,
      logsDirectory: parts.home.logsDirectory,
      environment,
      firstPort: definition.name === GATEWAY ? start.gatewayPort : await context.ports.claim(definition.name),
      ports: context.ports,
      registry: context.registry,
      log: parts.log,
      onChange: () => start.stack.publish(),
    });
    parts.apps.push(app);
    await app.scaleTo(definition.instances, signal);
    step.note(`${definition.name} is ready`);
  });
  await allOrAbort(starts, (reason) => abort.abort(reason));
  step.summary(`${start.apps.length} ready`);
}

/** Whether the gateway accepts the key: it does not if the database differs from that of the first start. */
async function areKeysAccepted(start: Start, keys: Keys): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${start.gatewayPort}/v1/me`, {
      headers: { authorization: `Bearer ${keys.apiKey}` },
      signal: AbortSignal.any([start.options.signal, AbortSignal.timeout(10_000)]),
    });
    await response.body?.cancel();
    return response.status !== 401;
  } catch {
    start.options.signal.throwIfAborted();
    return true;
  }
}
