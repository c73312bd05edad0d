import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { reasonOf, StackError } from '../system/errors.ts';
import { readJson, tailOfFile } from '../system/files.ts';
import { lockHolder } from '../system/lock.ts';
import type { LockRecord } from '../system/lock.ts';
import { endProcess, waitForEnd } from '../system/process-identity.ts';
import { endRecordedProcesses } from '../system/process-registry.ts';
import { removeContainer, removeVolume } from '../provision/docker.ts';
import { MONGO_ROLE } from '../provision/mongo/provision.ts';
import { RABBIT_ROLE } from '../provision/rabbit/provision.ts';
import { askSupervisor } from '../stack/control.ts';
import type { ControlRequest } from '../stack/control.ts';
import type { Home } from '../stack/home.ts';
import { removeStackFile } from '../stack/stack-file.ts';

// Apps, broker and database stop one after the other, each with its own grace period.
const STOP_TIMEOUT_MS = 90_000;
const ORPHAN_GRACE_MS = 10_000;
const LOG_LINES = 200;

function requireSupervisor(home: Home): LockRecord {
  const holder = lockHolder(home.lockFile);
  if (holder !== undefined) return holder;
  throw new StackError(`no stack runs in ${home.directory}`, 'Start one with "npm start".');
}

/** Sends a request to the running stack and prints its answer. */
export async function askRunningStack(home: Home, request: ControlRequest): Promise<void> {
  requireSupervisor(home);
  const lines = await askSupervisor(home.socketFile, request);
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Stops the stack, even if its supervisor is dead or does not answer. */
export async function stopStack(home: Home, env: NodeJS.ProcessEnv): Promise<void> {
  const supervisor = lockHolder(home.lockFile);
  if (supervisor !== undefined) {
    process.stdout.write('stopping applications, broker and database\n');
    await askSupervisor(home.socketFile, { command: 'stop' }).catch((error: unknown) => {
      process.stderr.write(`the supervisor does not answer (${reasonOf(error)}); ending it by a signal\n`);
    });
    if (!(await waitForEnd(supervisor, 2_000))) await endProcess(supervisor, STOP_TIMEOUT_MS);
  }
  const orphans = await endRecordedProcesses(home.processesFile, ORPHAN_GRACE_MS);
  if (orphans.length > 0) process.stdout.write(`ended what an earlier run left behind: ${orphans.join(', ')}\n`);
  if (lockHolder(home.lockFile) === undefined) {
    // A container outlives the process that started it.
    if (usesDocker(home)) await forEachRole((role) => removeContainer({ home: home.directory, env }, role));
    removeStackFile(home.stackFile);
    for (const file of [home.lockFile, home.processesFile, home.socketFile]) fs.rmSync(file, { force: true });
  }
  const nothing = supervisor === undefined && orphans.length === 0;
  process.stdout.write(nothing ? `no stack ran in ${home.directory}\n` : 'stopped\n');
}

const Choices = z.record(z.string(), z.object({ storage: z.string() }));

function usesDocker(home: Home): boolean {
  const choices = readJson(path.join(home.directory, 'servers.json'), Choices) ?? {};
  return Object.values(choices).some((choice) => choice.storage === 'docker');
}

async function forEachRole(work: (role: string) => Promise<void>): Promise<void> {
  for (const role of [MONGO_ROLE, RABBIT_ROLE]) await work(role);
}

// Entries that this package creates in a home directory. Nothing else is removed, since CLEW_HOME may hold other files.
const DATA_ENTRIES = [
  'mongo',
  'rabbitmq',
  'logs',
  'identity',
  'secrets.json',
  'seed.json',
  'servers.json',
  'ports.json',
];
const STATE_ENTRIES = ['stack.json', 'processes.json', 'supervisor.json', 'stack.sock'];
const PACKAGE_ENTRIES = ['packages', 'cache'];

/** Stops the stack and removes its data; unpacked packages are removed only with `everything`. */
export async function resetStack(home: Home, options: { everything: boolean; env: NodeJS.ProcessEnv }): Promise<void> {
  await stopStack(home, options.env);
  if (usesDocker(home)) await forEachRole((role) => removeVolume({ home: home.directory, env: options.env }, role));
  const entries = [...DATA_ENTRIES, ...STATE_ENTRIES, ...(options.everything ? PACKAGE_ENTRIES : [])];
  for (const entry of entries) fs.rmSync(path.join(home.directory, entry), { recursive: true, force: true });
  process.stdout.write(`removed the data of ${home.directory}\n`);
}

/** Prints the end of a log. */
export function showLog(home: Home, name: string): void {
  const file = path.join(home.logsDirectory, `${path.basename(name)}.log`);
  if (!fs.existsSync(file)) {
    const known = fs.existsSync(home.logsDirectory) ? fs.readdirSync(home.logsDirectory) : [];
    const names = known.filter((entry) => entry.endsWith('.log')).map((entry) => entry.slice(0, -'.log'.length));
    throw new StackError(`there is no log of ${name}`, `There are: ${names.join(', ') || 'none yet'}.`);
  }
  process.stdout.write(`${tailOfFile(file, LOG_LINES).join('\n')}\n`);
  process.stderr.write(`(the last ${LOG_LINES} lines of ${file})\n`);
}
