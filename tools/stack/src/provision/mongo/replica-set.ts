import { MongoClient, MongoServerError } from 'mongodb';
import type { Db } from 'mongodb';
import { reasonOf, StackError } from '../../system/errors.ts';
import { pollUntil } from '../../system/waiting.ts';
import type { ProvidedServer } from '../context.ts';

/** Running MongoDB replica set. */
export interface MongoServer extends ProvidedServer {
  url: string;
}

/** Name of the replica set in every stack. */
export const REPLICA_SET = 'rs0';

const NOT_YET_INITIALIZED = 94;

/** Address that applications use. */
export function replicaSetUrl(port: number): string {
  return `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}`;
}

/**
 * Waits for mongod on the port, initiates a replica set of one member if there is none, and waits until it accepts
 * writes. If the port has changed, the replica set gets the new address.
 */
export async function becomePrimary(port: number, signal: AbortSignal): Promise<void> {
  const host = `127.0.0.1:${port}`;
  await pollUntil(
    async () => {
      const client = new MongoClient(`mongodb://${host}/?directConnection=true`, {
        serverSelectionTimeoutMS: 500,
        connectTimeoutMS: 1_000,
      });
      try {
        const admin = client.db('admin');
        if (await isWritablePrimary(admin)) return true;
        await configure(admin, host);
        return await isWritablePrimary(admin);
      } finally {
        await client.close();
      }
    },
    { intervalMs: 100, signal },
  );
}

async function isWritablePrimary(admin: Db): Promise<boolean> {
  const hello = await admin.command({ hello: 1 });
  return hello['isWritablePrimary'] === true;
}

interface ReplicaSetConfig {
  version: number;
  members: { host: string }[];
}

async function configure(admin: Db, host: string): Promise<void> {
  const config = await currentConfig(admin);
  if (config === undefined) {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
    return;
  }
  const [member] = config.members;
  if (member !== undefined && member.host !== host) {
    const moved = { ...config, version: config.version + 1, members: [{ ...member, host }] };
    await admin.command({ replSetReconfig: moved, force: true });
  }
}

async function currentConfig(admin: Db): Promise<ReplicaSetConfig | undefined> {
  try {
    const answer = await admin.command({ replSetGetConfig: 1 });
    return answer['config'] as ReplicaSetConfig;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NOT_YET_INITIALIZED) return undefined;
    throw error;
  }
}

/** Throws unless the server at a user-provided address is a replica set that accepts writes. */
export async function requireReplicaSet(url: string): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 5_000 });
  try {
    const hello = await client.db('admin').command({ hello: 1 });
    if (typeof hello['setName'] === 'string' || hello['msg'] === 'isdbgrid') return;
  } catch (error) {
    throw new StackError(
      `MONGO_URL is set, but no MongoDB answers there: ${reasonOf(error)}`,
      'Start that MongoDB, correct MONGO_URL, or unset it to have one provided.',
    );
  } finally {
    await client.close();
  }
  throw new StackError(
    'MONGO_URL is set, but the MongoDB there is not a replica set, which transactions need',
    'Start it with --replSet and initiate the set, or unset MONGO_URL to have one provided.',
  );
}
