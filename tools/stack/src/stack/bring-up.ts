import path from 'node:path';
import { allOrAbort } from '../system/waiting.ts';
import type { MongoServer } from '../provision/mongo/replica-set.ts';
import { addressOfBroker } from '../provision/rabbit/provision.ts';
import type { RabbitServer } from '../provision/rabbit/ready.ts';
import { migrateApp } from './app-commands.ts';
import { areMigrationsApplied, digestOfMigrations, recordMigrations } from './applied-migrations.ts';
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
import { startApps } from './start-apps.ts';
import type { Start } from './start.ts';
import { hasWorkbench, provideWorkbench } from './workbench.ts';

/**
 * Provides all that applications need (servers, migrations, keys, the Workbench), starts them, and resolves once they are
 * ready. Each piece begins as soon as those that it needs are there, so that databases are migrated while the broker,
 * which takes longest, still starts; where they need no migration, the applications start beside it, too.
 */
export async function bringUp(given: Start): Promise<{ environment: EnvironmentSource; keys: Keys }> {
  const abort = new AbortController();
  const signal = AbortSignal.any([given.options.signal, abort.signal]);
  const start: Start = { ...given, options: { ...given.options, signal } };
  const { progress } = start.options;
  const begun = {
    ...provideServers({ ...start, progress, signal }),
    built: buildWhereWanted(start),
    base: prepareEnvironment(start),
  };
  const databases = migrateDatabases(start, begun);
  const prepared = {
    databases,
    topology: migrateTopology(start, begun),
    keys: databases.then(({ environment }) => progress.step('keys', (step) => provideKeys(start, environment, step))),
    workbench: prepareWorkbench(start, begun.built),
  };
  const apps = startPrepared(start, prepared);
  const [broughtUp] = await allOrAbort<readonly [{ environment: EnvironmentSource; keys: Keys }, ...unknown[]]>(
    [apps, ...Object.values(prepared), ...Object.values(begun)],
    (reason) => abort.abort(reason),
  );
  return broughtUp;
}

/** Results that several pieces of the preparation wait for. */
interface Begun {
  mongo: Promise<MongoServer>;
  rabbit: Promise<RabbitServer>;
  built: Promise<void>;
  base: Promise<EnvironmentSource>;
}

/** Results that the applications wait for. */
interface Prepared {
  databases: Promise<{ environment: EnvironmentSource; hadToMigrate: boolean }>;
  topology: Promise<void>;
  keys: Promise<Keys>;
  workbench: Promise<string | undefined>;
}

async function startPrepared(start: Start, { databases, topology, keys: made, workbench }: Prepared) {
  const [{ environment: ofServers, hadToMigrate }, keys, workbenchDirectory] = await Promise.all([
    databases,
    made,
    workbench,
  ]);
  // The broker has the topology of these sources, too, and applications wait for it by themselves.
  if (hadToMigrate) await topology;
  const environment = { ...ofServers, ...(workbenchDirectory === undefined ? {} : { workbenchDirectory }) };
  start.parts.keys = keys;
  start.parts.hasWorkbench = workbenchDirectory !== undefined;
  await start.options.progress.step('apps', (step) => startApps(start, environment, step));
  return { environment, keys };
}

async function migrateDatabases(start: Start, { base, mongo, built }: Begun): Prepared['databases'] {
  const [environment, { url }] = await Promise.all([base, mongo, built]);
  const digest = digestOfMigrations(start);
  const hadToMigrate = digest === undefined || !(await areMigrationsApplied(url, digest));
  await start.options.progress.step('migrations', async (step) => {
    if (!hadToMigrate) return step.skip('applied by an earlier start of these sources');
    await migrate(start, 'database', { ...environment, mongoUrl: url }, step);
    if (digest !== undefined) await recordMigrations(url, digest);
  });
  return { environment: { ...environment, mongoUrl: url }, hadToMigrate };
}

async function migrateTopology(start: Start, { base, rabbit, built }: Begun): Promise<void> {
  const [environment, { amqpUrl }] = await Promise.all([base, rabbit, built]);
  await start.options.progress.step('topology', (step) =>
    migrate(start, 'topology', { ...environment, amqpUrl }, step),
  );
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

/** Keys and addresses of the applications and of the broker; that of MongoDB comes once it is there. */
async function prepareEnvironment({ options, context, parts, apps, gatewayPort }: Start): Promise<EnvironmentSource> {
  // Claims the port before the broker listens there.
  const amqpUrl = await addressOfBroker(context);
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
    amqpUrl,
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
