// node tools/stack/src/servers.ts [--home DIR] -- <command...>
// Runs a command, usually tests, with a new MongoDB and RabbitMQ, and removes both afterwards.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runCommandLine, UsageError } from './cli/command-line.ts';
import { printFailure, reportFailure } from './cli/messages.ts';
import { provisionMongo, provisionRabbit } from './handles.ts';
import type { MongoHandle, RabbitHandle, ServerHandle } from './handles.ts';
import { StackError } from './system/errors.ts';
import { allOrAbort } from './system/waiting.ts';

const USAGE = 'Usage: node tools/stack/src/servers.ts [--home DIR] -- <command> [arguments]';

async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { home: { type: 'string' } },
  });
  const [command, ...args] = positionals;
  if (command === undefined) throw new UsageError('the command to run is missing');
  const parent = path.resolve(values.home ?? os.tmpdir());
  fs.mkdirSync(parent, { recursive: true });
  const home = fs.mkdtempSync(path.join(parent, 'clew-servers-'));
  const calledOff = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => calledOff.abort(new StackError(`ended by ${signal}`)));
  }
  const started: ServerHandle[] = [];
  try {
    const [mongo, rabbit] = await startServers(home, calledOff, started);
    return await runWithServers(command, args, mongo, rabbit, calledOff.signal);
  } finally {
    // No orderly shutdown is needed, because nobody will read the data again.
    await Promise.all(started.map((server) => server.stop({ immediately: true })));
    fs.rmSync(home, { recursive: true, force: true });
  }
}

async function startServers(
  home: string,
  calledOff: AbortController,
  started: ServerHandle[],
): Promise<readonly [MongoHandle, RabbitHandle]> {
  const startedAtMs = Date.now();
  const options = { home, signal: calledOff.signal };
  const log = (subject: string) => (line: string) => void process.stderr.write(`${subject}: ${line}\n`);
  const keep = <T extends ServerHandle>(server: T) => {
    started.push(server);
    return server;
  };
  const servers = await allOrAbort<readonly [MongoHandle, RabbitHandle]>(
    [
      provisionMongo({ ...options, log: log('MongoDB') }).then(keep),
      provisionRabbit({ ...options, log: log('RabbitMQ') }).then(keep),
    ],
    (reason) => calledOff.abort(reason),
  );
  process.stderr.write(`MongoDB and RabbitMQ are ready (${((Date.now() - startedAtMs) / 1000).toFixed(1)} s)\n`);
  return servers;
}

function runWithServers(
  command: string,
  args: readonly string[],
  mongo: MongoHandle,
  rabbit: RabbitHandle,
  signal: AbortSignal,
): Promise<number> {
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      CLEW_TEST_MONGO_URL: mongo.url,
      CLEW_TEST_AMQP_URL: rabbit.amqpUrl,
      ...(rabbit.managementUrl === undefined ? {} : { CLEW_TEST_AMQP_MANAGEMENT_URL: rabbit.managementUrl }),
    },
  });
  // The servers stay until the command has ended, however long its cleanup takes.
  signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, ending) => resolve(code ?? 128 + (ending === null ? 0 : os.constants.signals[ending])));
  });
}

try {
  process.exitCode = await runCommandLine(USAGE, () => main(process.argv.slice(2)));
} catch (error) {
  printFailure(reportFailure(error));
  process.exitCode = 1;
}
