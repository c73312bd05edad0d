import path from 'node:path';
import { StackError } from '../system/errors.ts';
import { rotateLog } from '../system/files.ts';
import { keepAlive } from '../system/keep-alive.ts';
import type { KeepAlive } from '../system/keep-alive.ts';
import type { PortBook } from '../system/ports.ts';
import type { ProcessRegistry } from '../system/process-registry.ts';
import { createUnit } from '../system/unit.ts';
import type { Unit } from '../system/unit.ts';
import { answersWith, pollUntil } from '../system/waiting.ts';
import { scriptArguments } from './app-programs.ts';
import type { AppPrograms } from './app-programs.ts';
import type { AppDefinition } from './apps.ts';
import { appEnvironment, NODE_ARGUMENTS } from './environment.ts';
import type { EnvironmentSource, Ports } from './environment.ts';
import { openFront } from './front.ts';
import type { Front } from './front.ts';

const READY_TIMEOUT_MS = 90_000;
const STOP_GRACE_MS = 15_000;

/** Running process of an application. */
export interface AppInstance {
  url: string;
  /** Address of the operations port, for metrics and the like that callers must not see. */
  operationsUrl?: string;
  unit: Unit;
}

/** Processes of one application, which are kept running until they are stopped. */
export interface AppInstances {
  readonly definition: AppDefinition;
  list(): readonly AppInstance[];
  /** Address at which others reach the application. */
  url(): string | undefined;
  /** Starts or stops processes until there are `count` of them. */
  scaleTo(count: number, signal?: AbortSignal): Promise<void>;
  /** Restarts the processes one after the other; behind a front, the others serve meanwhile. */
  restart(): Promise<void>;
  /** Stops the restarts: from now on, a process that ends stays down. */
  release(): void;
  /** Closes the address, after the processes have ended. */
  close(): Promise<void>;
}

export interface AppInstancesContext {
  programs: AppPrograms;
  logsDirectory: string;
  environment: EnvironmentSource;
  /** Port of the front, or of the first instance; further instances get ports from the port book. */
  firstPort: number;
  ports: PortBook;
  registry: ProcessRegistry;
  log: (line: string) => void;
  /** Called whenever a process id may have changed. */
  onChange: () => void;
  /** Path that answers once a process counts as started; `/readyz` by default. */
  startedPath?: string;
}

/** Manages the processes of one application; none has been started yet. */
export function createAppInstances(definition: AppDefinition, context: AppInstancesContext): AppInstances {
  const instances: (AppInstance & { watch: KeepAlive })[] = [];
  const { hasFront = false } = definition;
  let front: Front | undefined;
  const watchOver = (unit: Unit) => keepAlive(unit, { log: context.log, onRestarted: context.onChange });

  async function startOne(signal: AbortSignal | undefined): Promise<void> {
    const position = instances.length + 1;
    const name = position === 1 ? definition.name : `${definition.name}.${position}`;
    if (hasFront) front ??= await openFront(context.firstPort);
    const ports = await portsOf(position);
    const url = urlOf(ports.port);
    const unit = createUnit(unitSpec(definition, name, ports, context), context.registry);
    rotateLog(unit.logFile);
    await unit.start(signal);
    const { operationsPort } = ports;
    const operations = operationsPort === undefined ? {} : { operationsUrl: urlOf(operationsPort) };
    instances.push({ url, ...operations, unit, watch: watchOver(unit) });
    front?.add(url);
  }

  async function portsOf(position: number): Promise<Ports> {
    const port = await portOf(position);
    if (definition.hasOperationsPort !== true) return { port };
    return { port, operationsPort: await context.ports.claim(`${definition.name}.operations.${position}`) };
  }

  async function portOf(position: number): Promise<number> {
    if (hasFront) return await context.ports.claim(`${definition.name}.behind.${position}`);
    return position === 1 ? context.firstPort : await context.ports.claim(`${definition.name}.${position}`);
  }

  return {
    definition,
    list: () => instances,
    url: () => front?.url ?? instances[0]?.url,
    async scaleTo(count, signal) {
      if (count > 1 && !definition.isScalable && !hasFront) {
        throw new StackError(
          `${definition.name} is called at one address here and cannot run more than once`,
          `Start the stack with CLEW_REPLICAS=${definition.name}=${count}.`,
        );
      }
      while (instances.length < count) await startOne(signal);
      while (instances.length > count) {
        const last = instances.pop();
        if (last === undefined) break;
        last.watch.cancel();
        front?.leave(last.url);
        await last.unit.stop();
      }
      context.onChange();
    },
    async restart() {
      for (const instance of instances) {
        instance.watch.cancel();
        front?.leave(instance.url);
        await instance.unit.stop();
        await instance.unit.start();
        front?.add(instance.url);
        instance.watch = watchOver(instance.unit);
      }
      context.onChange();
    },
    release() {
      for (const instance of instances) instance.watch.cancel();
    },
    close: async () => await front?.close(),
  };
}

const urlOf = (port: number) => `http://127.0.0.1:${port}`;

function unitSpec(
  definition: AppDefinition,
  name: string,
  ports: Ports,
  context: AppInstancesContext,
): Parameters<typeof createUnit>[0] {
  const { startedPath = '/readyz' } = context;
  return {
    name,
    tier: 'app',
    command: () => ({
      file: process.execPath,
      args: [...NODE_ARGUMENTS, ...scriptArguments(context.programs, definition.name, 'main')],
      env: appEnvironment(context.environment, definition, ports),
      cwd: path.dirname(context.programs.appsDirectory),
    }),
    logFile: path.join(context.logsDirectory, `${name}.log`),
    ready: (signal) => pollUntil(() => answersWith(`${urlOf(ports.port)}${startedPath}`), { intervalMs: 150, signal }),
    readyTimeoutMs: READY_TIMEOUT_MS,
    stopGraceMs: STOP_GRACE_MS,
  };
}
