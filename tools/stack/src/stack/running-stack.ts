import fs from 'node:fs';
import { StackError } from '../system/errors.ts';
import { keepAlive } from '../system/keep-alive.ts';
import type { KeepAlive } from '../system/keep-alive.ts';
import type { ProcessRegistry } from '../system/process-registry.ts';
import { stopUnits } from '../system/stop-units.ts';
import type { Unit } from '../system/unit.ts';
import { answersWith } from '../system/waiting.ts';
import type { MongoServer } from '../provision/mongo/replica-set.ts';
import type { RabbitServer } from '../provision/rabbit/ready.ts';
import type { AppForm } from './app-programs.ts';
import { GATEWAY } from './apps.ts';
import type { AppInstances } from './app-instances.ts';
import type { Home } from './home.ts';
import type { Keys } from './secrets.ts';
import { removeStackFile, writeStackFile } from './stack-file.ts';
import type { StackFile } from './stack-file.ts';

/** Parts of a stack that have been started so far. */
export interface StackParts {
  home: Home;
  form: AppForm;
  registry: ProcessRegistry;
  mongo?: MongoServer;
  rabbit?: RabbitServer;
  apps: AppInstances[];
  keys?: Keys;
  /** Whether the gateway serves the Workbench. */
  hasWorkbench?: boolean;
  log: (line: string) => void;
}

/** Stack, from its first process to its last. */
export interface RunningStack {
  readonly parts: StackParts;
  /** Enables the restart of servers that end by themselves, and keeps `stack.json` current. */
  open(): StackFile;
  /** Rewrites `stack.json`, once the stack is open. */
  publish(): void;
  restart(name: string): Promise<void>;
  scale(appName: string, count: number): Promise<void>;
  status(): Promise<string[]>;
  /** Stops everything in order. Safe to call at any time, even during a start. */
  close(options?: { immediately?: boolean }): Promise<void>;
}

/** Manages the parts together: status, restarts, changes and shutdown. */
export function createRunningStack(parts: StackParts): RunningStack {
  const serverWatches = new Map<Unit, KeepAlive>();
  let isOpen = false;

  const serverUnits = () => [...(parts.mongo?.units ?? []), ...(parts.rabbit?.units ?? [])];
  const appUnits = () => parts.apps.flatMap((app) => app.list().map((instance) => instance.unit));

  function watchServer(unit: Unit): void {
    serverWatches.set(unit, keepAlive(unit, { log: parts.log, onRestarted: publish }));
  }

  function publish(): void {
    if (isOpen) writeStackFile(parts.home.stackFile, describeStack(parts));
  }

  return {
    parts,
    publish,
    open() {
      isOpen = true;
      for (const unit of serverUnits()) watchServer(unit);
      publish();
      return describeStack(parts);
    },
    async restart(name) {
      const app = parts.apps.find((candidate) => candidate.definition.name === name);
      const server = serverUnits().find((unit) => unit.name === name);
      if (app !== undefined) return app.restart();
      if (server === undefined) {
        throw unknownName(name, [...parts.apps.map(nameOf), ...serverUnits().map((unit) => unit.name)]);
      }
      serverWatches.get(server)?.cancel();
      await server.stop();
      await server.start();
      watchServer(server);
      publish();
    },
    async scale(appName, count) {
      const app = parts.apps.find((candidate) => candidate.definition.name === appName);
      if (app === undefined)
        throw unknownName(appName, parts.apps.filter((one) => one.definition.isScalable).map(nameOf));
      await app.scaleTo(count);
    },
    status: () => statusLines(parts, serverUnits()),
    async close(options) {
      isOpen = false;
      for (const watch of serverWatches.values()) watch.cancel();
      for (const app of parts.apps) app.release();
      removeStackFile(parts.home.stackFile);
      await stopUnits([...appUnits(), ...serverUnits()], options);
      await Promise.all(parts.apps.map((app) => app.close()));
      fs.rmSync(parts.home.processesFile, { force: true });
    },
  };
}

function nameOf(app: AppInstances): string {
  return app.definition.name;
}

function unknownName(name: string, known: readonly string[]): StackError {
  return new StackError(`there is no ${name} in this stack`, `There are: ${known.join(', ')}.`);
}

function describeStack(parts: StackParts): StackFile {
  const { mongo, rabbit, keys } = parts;
  const gatewayUrl = parts.apps.find((app) => app.definition.name === GATEWAY)?.url();
  if (mongo === undefined || rabbit === undefined || keys === undefined || gatewayUrl === undefined) {
    throw new Error('the stack is described before it is complete');
  }
  const pidOf = (unit: Unit) => unit.pid() ?? null;
  return {
    gatewayUrl,
    ...(parts.hasWorkbench === true ? { workbenchUrl: gatewayUrl } : {}),
    ...keys,
    mongoUrl: mongo.url,
    amqpUrl: rabbit.amqpUrl,
    ...(rabbit.managementUrl === undefined ? {} : { amqpManagementUrl: rabbit.managementUrl }),
    services: Object.fromEntries(parts.apps.map((app) => [app.definition.name, describeApp(app)])),
    servers: Object.fromEntries([...mongo.units, ...rabbit.units].map((unit) => [unit.name, { pid: pidOf(unit) }])),
    form: parts.form,
    supervisorPid: process.pid,
    logsDirectory: parts.home.logsDirectory,
  };
}

function describeApp(app: AppInstances): StackFile['services'][string] {
  const instances = app.list().map(({ unit, url, operationsUrl }) => ({
    ...{ url, pid: unit.pid() ?? null },
    ...(operationsUrl === undefined ? {} : { operationsUrl }),
  }));
  const known = { ...{ pid: null }, ...instances[0], url: app.url() ?? '' };
  return app.definition.isScalable || app.definition.hasFront === true ? { ...known, instances } : known;
}

async function statusLines(parts: StackParts, servers: readonly Unit[]): Promise<string[]> {
  const line = (name: string, unit: Unit, state: string) =>
    `${name.padEnd(22)} ${String(unit.pid() ?? '-').padEnd(8)} ${state}`;
  const apps = parts.apps.flatMap((app) =>
    app.list().map(async ({ url, unit }) => {
      const [isAlive, isReady] = await Promise.all([
        answersWith(`${url}${app.definition.healthPath}`),
        answersWith(`${url}/readyz`),
      ]);
      return line(unit.name, unit, `${url}  ${isAlive ? (isReady ? 'ready' : 'alive, not ready') : 'does not answer'}`);
    }),
  );
  return [
    ...servers.map((unit) => line(unit.name, unit, unit.pid() === undefined ? 'not running' : 'running')),
    ...(await Promise.all(apps)),
  ];
}
