import fs from 'node:fs';
import path from 'node:path';
import { Unavailable } from '../../system/errors.ts';
import { findOnPath } from '../../system/files.ts';
import { run } from '../../system/run.ts';
import type { ProvisionContext } from '../context.ts';

/** RabbitMQ that can be started with its own directories and ports. */
export interface RabbitInstallation {
  /** Directory with `sbin` and `plugins`; undefined if the layout is unknown. */
  rabbitHome: string | undefined;
  serverScript: string;
  epmd: string | undefined;
  /** Directories put before PATH. */
  binDirectories: readonly string[];
  env: Record<string, string>;
}

// Debian's rabbitmq-server is a wrapper that requires its own user and directories; the actual program is here.
const DEBIAN_RABBIT_DIRECTORY = '/usr/lib/rabbitmq/lib';

/** RabbitMQ installed on the machine. */
export async function rabbitOnPath(context: ProvisionContext): Promise<RabbitInstallation> {
  const searchPath = [context.env['PATH'] ?? '', '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/sbin'].join(':');
  const script = findOnPath('rabbitmq-server', searchPath);
  if (script === undefined) throw new Unavailable('there is none');
  if (findOnPath('erl', searchPath) === undefined) throw new Unavailable(`${script} is there, but no erl`);
  const rabbitHome = realRabbitHome(script);
  return {
    rabbitHome,
    serverScript: rabbitHome === undefined ? script : path.join(rabbitHome, 'sbin', 'rabbitmq-server'),
    epmd: findOnPath('epmd', searchPath) ?? (await epmdOfErlang(context)),
    binDirectories: [],
    env: {},
  };
}

function realRabbitHome(script: string): string | undefined {
  const debianHomes = fs.existsSync(DEBIAN_RABBIT_DIRECTORY)
    ? fs.readdirSync(DEBIAN_RABBIT_DIRECTORY).filter((entry) => entry.startsWith('rabbitmq_server-'))
    : [];
  const newest = debianHomes.toSorted().at(-1);
  if (newest !== undefined) return path.join(DEBIAN_RABBIT_DIRECTORY, newest);
  const home = path.dirname(path.dirname(fs.realpathSync(script)));
  return fs.existsSync(path.join(home, 'plugins')) ? home : undefined;
}

// Needed because not every Erlang package puts epmd on PATH.
async function epmdOfErlang(context: ProvisionContext): Promise<string | undefined> {
  const query = 'io:format("~s/erts-~s/bin/epmd",[code:root_dir(),erlang:system_info(version)]),halt().';
  const options = { env: context.env, signal: context.signal, timeoutMs: 15_000 };
  const { stdout } = await run('erl', ['-noinput', '-eval', query], options);
  return fs.existsSync(stdout.trim()) ? stdout.trim() : undefined;
}

/** Whether the installation includes the management plugin; assumed if its layout is unknown. */
export function hasManagementPlugin(installation: RabbitInstallation): boolean {
  if (installation.rabbitHome === undefined) return true;
  const plugins = path.join(installation.rabbitHome, 'plugins');
  return fs.existsSync(plugins) && fs.readdirSync(plugins).some((entry) => entry.startsWith('rabbitmq_management-'));
}
