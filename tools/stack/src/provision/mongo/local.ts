import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createUnit } from '../../system/unit.ts';
import type { ProvisionContext } from '../context.ts';
import type { MongoBinary } from './binary.ts';
import { becomePrimary, REPLICA_SET, replicaSetUrl } from './replica-set.ts';
import type { MongoServer } from './replica-set.ts';

const GIBIBYTE = 1024 ** 3;

/** Arguments of a mongod that listens locally only, uses only its directory and a moderate amount of memory. */
export function mongodArguments(dataDirectory: string, port: number, memoryBytes: number): string[] {
  return [
    ...['--dbpath', dataDirectory, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
    ...['--replSet', REPLICA_SET, '--oplogSize', '1024', '--quiet'],
    // By default it would use half of the machine's memory.
    ...['--wiredTigerCacheSizeGB', memoryBytes >= 8 * GIBIBYTE ? '1' : '0.25'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    // Pause for the handover of a primary to other members before it stops; here there are none.
    ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'],
  ];
}

/** Starts mongod on the data of the home directory, and waits until it accepts writes. */
export async function startLocalMongo(
  binary: MongoBinary,
  origin: string,
  context: ProvisionContext,
): Promise<MongoServer> {
  const dataDirectory = path.join(context.home, 'mongo');
  const port = await context.ports.claim('mongod');
  fs.mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const unit = createUnit(
    {
      name: 'mongod',
      tier: 'database',
      command: () => ({
        file: binary.file,
        args: mongodArguments(dataDirectory, port, os.totalmem()),
        env: binary.env,
      }),
      logFile: path.join(context.home, 'logs', 'mongod.log'),
      ready: (signal) => becomePrimary(port, signal),
      readyTimeoutMs: 60_000,
      stopGraceMs: 20_000,
    },
    context.registry,
  );
  await unit.start(context.signal);
  return {
    description: `MongoDB ${binary.version} ${origin}, 127.0.0.1:${port}`,
    url: replicaSetUrl(port),
    units: [unit],
  };
}
