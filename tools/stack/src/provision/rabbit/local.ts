import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { writeFileAtomic } from '../../system/files.ts';
import { isPortServed } from '../../system/ports.ts';
import { createUnit } from '../../system/unit.ts';
import type { Unit } from '../../system/unit.ts';
import { pollUntil } from '../../system/waiting.ts';
import type { ProvisionContext } from '../context.ts';
import { hasManagementPlugin } from './installation.ts';
import type { RabbitInstallation } from './installation.ts';
import type { RabbitServer } from './ready.ts';
import { amqpUrl, managementUrl, waitForBroker } from './ready.ts';

/** Ports of a private broker. All must differ between stacks: of two nodes with a common port, the second one fails. */
export interface RabbitPorts {
  amqp: number;
  epmd: number;
  distribution: number;
  /** Undefined without the management plugin. */
  management: number | undefined;
}

const MEBIBYTE = 1024 ** 2;

/** Starts a broker with its own node name, ports and directories, and waits until it accepts clients. */
export async function startLocalRabbit(
  installation: RabbitInstallation,
  origin: string,
  context: ProvisionContext,
): Promise<RabbitServer> {
  const directory = path.join(context.home, 'rabbitmq');
  const ports: RabbitPorts = {
    amqp: await context.ports.claim('rabbitmq'),
    epmd: await context.ports.claim('rabbitmq-epmd'),
    distribution: await context.ports.claim('rabbitmq-distribution'),
    management: hasManagementPlugin(installation) ? await context.ports.claim('rabbitmq-management') : undefined,
  };
  writeConfiguration(directory, ports);
  const env = rabbitEnvironment(context.env, installation, directory, ports);
  const units: Unit[] = [];
  if (installation.epmd !== undefined) units.push(epmdUnit(installation.epmd, env, ports.epmd, context));
  units.push(brokerUnit(installation.serverScript, env, directory, ports, context));
  try {
    for (const unit of units) await unit.start(context.signal);
  } catch (error) {
    await Promise.all(units.map((unit) => unit.kill()));
    throw error;
  }
  return {
    description: `RabbitMQ ${origin}, 127.0.0.1:${ports.amqp}`,
    amqpUrl: amqpUrl(ports.amqp),
    managementUrl: ports.management === undefined ? undefined : managementUrl(ports.management),
    units,
  };
}

function writeConfiguration(directory: string, ports: RabbitPorts): void {
  for (const name of ['data', 'logs', 'home'])
    fs.mkdirSync(path.join(directory, name), { recursive: true, mode: 0o700 });
  const plugins = ports.management === undefined ? '[].' : '[rabbitmq_management].';
  writeFileAtomic(path.join(directory, 'enabled_plugins'), `${plugins}\n`);
  writeFileAtomic(path.join(directory, 'rabbitmq.conf'), rabbitConfiguration(ports, os.totalmem()));
}

/** Text of rabbitmq.conf. */
export function rabbitConfiguration(ports: RabbitPorts, memoryBytes: number): string {
  const memoryLimitMiB = Math.round(Math.min(1024, (memoryBytes / MEBIBYTE) * 0.4));
  const lines = [
    `vm_memory_high_watermark.absolute = ${memoryLimitMiB}MiB`,
    // With the default limit, a broker on a small disk would refuse all messages of a developer.
    'disk_free_limit.absolute = 50MB',
    // A smaller log is replayed sooner after a crash.
    'raft.wal_max_size_bytes = 67108864',
    'log.console = true',
    'log.console.level = warning',
    'log.file = false',
  ];
  if (ports.management !== undefined) {
    lines.push('management.tcp.ip = 127.0.0.1', `management.tcp.port = ${ports.management}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Environment of the broker and of epmd. */
export function rabbitEnvironment(
  base: NodeJS.ProcessEnv,
  installation: RabbitInstallation,
  directory: string,
  ports: RabbitPorts,
): NodeJS.ProcessEnv {
  const schedulers = Math.min(os.availableParallelism(), 4);
  return {
    // RABBITMQ_* and ERL_* variables belong to the user's own broker.
    ...Object.fromEntries(Object.entries(base).filter(([name]) => !/^(RABBITMQ|ERL)_/.test(name))),
    ...installation.env,
    PATH: [...installation.binDirectories, base['PATH'] ?? '/usr/bin:/bin'].join(path.delimiter),
    HOME: path.join(directory, 'home'),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_EPMD_PORT: String(ports.epmd),
    ERL_CRASH_DUMP_BYTES: '0',
    // Otherwise a node that finds no epmd starts one as a daemon, which would outlive the stack and occupy the port of
    // epmd.
    ...(installation.epmd === undefined ? {} : { ERL_FLAGS: '-start_epmd false' }),
    ...(installation.rabbitHome === undefined ? {} : { RABBITMQ_HOME: installation.rabbitHome }),
    RABBITMQ_NODENAME: nodeName(directory),
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(ports.amqp),
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_MNESIA_BASE: path.join(directory, 'data'),
    RABBITMQ_LOG_BASE: path.join(directory, 'logs'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_CONFIG_FILE: path.join(directory, 'rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: path.join(directory, 'enabled_plugins'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    // Makes the script turn into the broker instead of staying its parent: the child process is the broker itself.
    RABBITMQ_ALLOW_INPUT: '1',
    RABBITMQ_SERVER_START_ARGS: '-noinput +B i',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: [
      // Idle schedulers sleep instead of spinning.
      '+sbwt none +sbwtdcpu none +sbwtdio none',
      `+S ${schedulers}:${schedulers}`,
      '-kernel inet_dist_use_interface {127,0,0,1}',
    ].join(' '),
  };
}

function nodeName(directory: string): string {
  return `clew-${createHash('sha256').update(directory).digest('hex').slice(0, 10)}@localhost`;
}

// The broker would start epmd as a daemon that outlives it. As a child process it ends with the stack.
function epmdUnit(epmd: string, env: NodeJS.ProcessEnv, port: number, context: ProvisionContext): Unit {
  return createUnit(
    {
      name: 'epmd',
      tier: 'broker-support',
      command: () => ({ file: epmd, args: ['-port', String(port), '-address', '127.0.0.1'], env }),
      logFile: path.join(context.home, 'logs', 'epmd.log'),
      ready: (signal) => pollUntil(() => isPortServed(port), { intervalMs: 50, signal }),
      readyTimeoutMs: 10_000,
      stopGraceMs: 2_000,
    },
    context.registry,
  );
}

function brokerUnit(
  serverScript: string,
  env: NodeJS.ProcessEnv,
  directory: string,
  ports: RabbitPorts,
  context: ProvisionContext,
): Unit {
  return createUnit(
    {
      name: 'rabbitmq',
      tier: 'broker',
      command: () => ({ file: serverScript, args: [], env, cwd: directory }),
      logFile: path.join(context.home, 'logs', 'rabbitmq.log'),
      ready: (signal) => waitForBroker(ports, signal),
      readyTimeoutMs: 90_000,
      stopGraceMs: 20_000,
    },
    context.registry,
  );
}
