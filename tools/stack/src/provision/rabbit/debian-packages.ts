import fs from 'node:fs';
import path from 'node:path';
import { Unavailable } from '../../system/errors.ts';
import type { ProvisionContext } from '../context.ts';
import { libraryDirectories, unpackPackages } from '../debian.ts';
import type { RabbitInstallation } from './installation.ts';

// Plugins to keep: Erlang searches the folder of every plugin for each module that it loads. Without the unused
// plugins, the broker starts in two thirds of the time.
const KEPT_PLUGINS = /^rabbitmq_(management|management_agent|web_dispatch|prelaunch|codegen|stream_common)-/;

/** RabbitMQ and Erlang from Debian's packages, unpacked in the packages directory. */
export async function rabbitFromDebianPackages(context: ProvisionContext): Promise<RabbitInstallation> {
  const root = await unpackPackages(
    {
      name: 'rabbitmq',
      roots: ['rabbitmq-server'],
      wanted: /^(rabbitmq-server|socat|erlang-[a-z0-9-]+)$/,
      adapt: removePluginsNobodyEnables,
    },
    context,
  );
  const rabbitHome = onlyEntry(path.join(root, 'usr/lib/rabbitmq/lib'), /^rabbitmq_server-/);
  const erlangRoot = path.join(root, 'usr/lib/erlang');
  const ertsDirectory = onlyEntry(erlangRoot, /^erts-/);
  const binDirectories = [path.join(erlangRoot, 'bin'), path.join(ertsDirectory, 'bin')];
  for (const directory of binDirectories) relocateErl(path.join(directory, 'erl'), erlangRoot);
  const libraries = libraryDirectories(root).join(':');
  return {
    rabbitHome,
    serverScript: path.join(rabbitHome, 'sbin', 'rabbitmq-server'),
    epmd: path.join(ertsDirectory, 'bin', 'epmd'),
    binDirectories,
    env: libraries === '' ? {} : { LD_LIBRARY_PATH: libraries },
  };
}

function onlyEntry(directory: string, name: RegExp): string {
  const entry = fs.readdirSync(directory).find((candidate) => name.test(candidate));
  if (entry === undefined) throw new Unavailable(`${directory} holds no ${name.source}`);
  return path.join(directory, entry);
}

function removePluginsNobodyEnables(root: string): void {
  const plugins = path.join(onlyEntry(path.join(root, 'usr/lib/rabbitmq/lib'), /^rabbitmq_server-/), 'plugins');
  for (const entry of fs.readdirSync(plugins)) {
    if (entry.startsWith('rabbitmq_') && !KEPT_PLUGINS.test(entry)) {
      fs.rmSync(path.join(plugins, entry), { recursive: true });
    }
  }
}

/** Sets the installation path in an `erl` script, at each start, so that a moved directory also works. */
export function relocateErl(file: string, erlangRoot: string): void {
  const script = fs.readFileSync(file, 'utf8');
  const relocated = script.replaceAll(/^(\s*)ROOTDIR=\/.*$/gm, `$1ROOTDIR=${erlangRoot}`);
  if (relocated === script) return;
  const temporary = `${file}.${process.pid}`;
  fs.writeFileSync(temporary, relocated, { mode: 0o755 });
  fs.renameSync(temporary, file);
}
