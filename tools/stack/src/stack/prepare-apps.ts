import path from 'node:path';
import { allOrAbort } from '../system/waiting.ts';
import type { MongoServer } from '../provision/mongo/replica-set.ts';
import type { RabbitServer } from '../provision/rabbit/ready.ts';
import { migrateApp } from './app-commands.ts';
import { GATEWAY } from './apps.ts';
import type { AppDefinition } from './apps.ts';
import { buildProjects } from './build.ts';
import { appEnvironment, NO_PORTS } from './environment.ts';
import type { EnvironmentSource } from './environment.ts';
import { openToEngines } from './home.ts';
import { prepareIdentityKeys } from './identity-keys.ts';
import { provideKeys } from './keys.ts';
import type { Step } from './progress.ts';
import { provideServers } from './provide-servers.ts';
import { authSecretOf, prepareAgentKeys } from './secrets.ts';
import type { Keys } from './secrets.ts';
import type { Start } from './start.ts';
import { hasWorkbench, provideWorkbench } from './workbench.ts';

/**
 * Brings about all that applications need before they start: servers, migrations, keys. Each piece begins as soon as those
 * that it needs are there, so that databases are migrated while the broker, which takes longest, still starts.
 */
export async function prepareApps(given: Start): Promise<{ environment: EnvironmentSource; keys: Keys }> {
  const abort = new AbortController();
  const signal = AbortSignal.any([given.options.signal, abort.signal]);
  const start: Start = { ...given, options: { ...given.options, signal } };
  const { progress } = start.options;
  const begun = {
    ...provideServers({ ...start, progress, signal }),
    built: buildWhereWanted(start),
    base: prepareEnvironment(start),
  };
  const workbench = prepareWorkbench(start, begun.built);
  const databases = migrateDatabases(start, begun);
  const keys = databases.then((environment) => progress.step('keys', (step) => provideKeys(start, environment, step)));
  const [ofMongo, ofRabbit, provided, workbenchDirectory] = await allOrAbort<
    readonly [EnvironmentSource, EnvironmentSource, Keys, string | undefined, ...unknown[]]
  >([databases, migrateTopology(start, begun), keys, workbench, ...Object.values(begun)], (reason) =>
    abort.abort(reason),
  );
  const ofWorkbench = workbenchDirectory === undefined ? {} : { workbenchDirectory };
  return { environment: { ...ofMongo, ...ofRabbit, ...ofWorkbench }, keys: provided };
}

/** Results that several pieces of the preparation wait for. */
interface Begun {
  mongo: Promise<MongoServer>;
  rabbit: Promise<RabbitServer>;
  built: Promise<void>;
  base: Promise<EnvironmentSource>;
}

async function migrateDatabases(start: Start, { base, mongo, built }: Begun): Promise<EnvironmentSource> {
  const [source, { url: mongoUrl }] = await Promise.all([base, mongo, built]);
  const environment = { ...source, mongoUrl };
  const { progress } = start.options;
  await progress.step('migrations', (step) => migrate(start, 'database', environment, step));
  return environment;
}

async function migrateTopology(start: Start, { base, rabbit, built }: Begun): Promise<EnvironmentSource> {
  const [source, { amqpUrl }] = await Promise.all([base, rabbit, built]);
  const environment = { ...source, amqpUrl };
  const { progress } = start.options;
  await progress.step('topology', (step) => migrate(start, 'topology', environment, step));
  return environment;
}

async function buildWhereWanted({ options, repositoryRoot }: Start): Promise<void> {
  const { form, build = true, env, signal, progress } = options;
  if (form === 'sources' || !build) return;
  await progress.step('build', (step) => buildProjects(repositoryRoot, env, signal, step));
}

/** Folder of the Workbench, which is built beside everything else; undefined if there is none. */
async function prepareWorkbench(
  { options, programs, repositoryRoot }: Start,
  built: Promise<void>,
): Promise<string | undefined> {
  const { env, signal, progress, build = true } = options;
  const given = env['WORKBENCH_DIR'];
  if (given !== undefined && given !== '') return given;
  // Applications of tests have none.
  const isOfCheckout = programs.appsDirectory === path.join(repositoryRoot, 'apps');
  if (!isOfCheckout || !hasWorkbench(repositoryRoot)) return undefined;
  // A build may need the libraries that another one makes.
  await built;
  return await progress.step('Workbench', (step) => provideWorkbench({ repositoryRoot, env, signal, build }, step));
}

/** Keys and addresses of the applications; the servers' own come once they are there. */
async function prepareEnvironment({ options, context, parts, apps, gatewayPort }: Start): Promise<EnvironmentSource> {
  prepareIdentityKeys(parts.home, apps);
  prepareAgentKeys(parts.home, options.env);
  openToEngines(parts.home);
  const addresses = new Map<string, string>();
  for (const app of apps.filter((candidate) => candidate.name !== GATEWAY)) {
    const port = await context.ports.claim(app.name);
    if (app.isCalled) addresses.set(app.name, `http://127.0.0.1:${port}`);
  }
  return {
    home: parts.home,
    authSecret: authSecretOf(parts.home, options.env),
    addresses,
    publicUrl: `http://127.0.0.1:${gatewayPort}`,
    userEnvironment: options.env,
  };
}

async function migrate(
  { apps, programs, options }: Start,
  what: AppDefinition['migrates'],
  environment: EnvironmentSource,
  step: Step,
): Promise<void> {
  const migrating = apps.filter(({ migrates }) => migrates === what);
  const abort = new AbortController();
  const signal = AbortSignal.any([options.signal, abort.signal]);
  await allOrAbort(
    migrating.map((app) => migrateApp(programs, app, { env: appEnvironment(environment, app, NO_PORTS), signal })),
    (reason) => abort.abort(reason),
  );
  step.summary(migrating.map((app) => app.name).join(', '));
}
