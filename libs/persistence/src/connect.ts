import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { mongo, Mongoose, type Connection } from 'mongoose';
import { ConfigError, type Logger } from '@clew/runtime';
import { createDatabase, WRITE_CONCERN, type Database } from './database.ts';
import { reasonOfOutage } from './outage.ts';

export interface MongoOptions {
  /** Address of a replica set: transactions need one. */
  url: string;
  database: string;
  appName: string;
  logger: Logger;
  /** Connections per process, 20 by default. */
  maxPoolSize?: number;
  /** How long an operation waits for a reachable primary; 3,000 by default, so that readiness answers in time. */
  serverSelectionTimeoutMs?: number;
  /** How long an operation may go without an answer; 30,000 by default. 0 for migrations. */
  socketTimeoutMs?: number;
}

/** Database that may be unreachable at first. */
export interface OpenedDatabase {
  database: Database;
  /** Resolves once a primary has answered; rejects when the database is closed first, or the signal comes first. */
  whenConnected(signal?: AbortSignal): Promise<void>;
}

/**
 * Majority reads: nothing is reported that could be rolled back, and a caller that acts on a value it has read finds
 * the value in the snapshot of its transaction. The primary alone may be ahead of that.
 */
const READ_CONCERN = { level: 'majority' } as const;
/** A majority that is away for longer is reported to the caller, whose retry is idempotent. */
const WRITE_CONCERN_TIMEOUT_MS = 10_000;
const RETRY_EVERY_MS = 1_000;
/** Interval at which an ongoing outage is logged again, after the message at its beginning. */
const TELL_EVERY_MS = 60_000;
/** Event of a client that has begun to look for servers. */
const LOOKING = 'topologyOpening';

/** Connects to one database; rejects when no primary is reachable within the server selection time. */
export async function connectMongo(options: MongoOptions): Promise<Database> {
  const client = createClient(options);
  try {
    await client.connect();
  } catch (error) {
    // Otherwise the driver goes on looking for the servers.
    await client.close();
    throw error;
  }
  return createDatabase(connectionOn(client));
}

/** Begins to connect to one database, and resolves even while it is unreachable; until it connects, operations fail. */
export async function openMongo(options: MongoOptions): Promise<OpenedDatabase> {
  const client = createClient(options);
  const closed = new AbortController();
  const looking = once(client, LOOKING);
  const connected = connectAtLast(client, options.logger, closed.signal);
  connected.catch(() => undefined);
  await Promise.race([looking, connected]);
  const database = createDatabase(connectionOn(client));
  return {
    database: {
      ...database,
      async close() {
        closed.abort();
        await database.close();
      },
    },
    async whenConnected(signal) {
      if (signal === undefined) return await connected;
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      await Promise.race([connected, promise]);
    },
  };
}

function createClient(options: MongoOptions): mongo.MongoClient {
  const settings = {
    dbName: options.database,
    appName: options.appName,
    retryReads: true,
    retryWrites: true,
    readConcern: READ_CONCERN,
    writeConcern: { ...WRITE_CONCERN, wtimeoutMS: WRITE_CONCERN_TIMEOUT_MS },
    maxPoolSize: options.maxPoolSize ?? 20,
    serverSelectionTimeoutMS: options.serverSelectionTimeoutMs ?? 3_000,
    socketTimeoutMS: options.socketTimeoutMs ?? 30_000,
    // Texts were valid when the driver wrote them; to look at each character again takes a fifth of reading a page.
    enableUtf8Validation: false,
  };
  try {
    const client = new mongo.MongoClient(options.url, settings);
    tellOfChanges(client, options.logger);
    return client;
  } catch {
    // The driver's own message contains the full address with the password.
    throw new ConfigError(['MONGO_URL: is not the address of a database']);
  }
}

/**
 * Creates a mongoose connection on the driver's client; operations before its first connection fail after the server
 * selection time.
 */
function connectionOn(client: mongo.MongoClient): Connection {
  // A separate Mongoose instance: the options below would otherwise apply to the whole process.
  const mongoose = new Mongoose();
  // A filter with a field that the schema lacks must fail: silently dropped, it would match documents of other tenants.
  mongoose.set('strictQuery', 'throw');
  // Only migrations create collections and indexes.
  mongoose.set({ autoCreate: false, autoIndex: false, bufferCommands: false });
  return mongoose.createConnection().setClient(client);
}

async function connectAtLast(client: mongo.MongoClient, logger: Logger, signal: AbortSignal): Promise<void> {
  for (let toldAtMs = -Infinity; ;) {
    try {
      await client.connect();
      logger.info('database connected');
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (Date.now() - toldAtMs >= TELL_EVERY_MS) {
        toldAtMs = Date.now();
        logger.warn({ err: error }, `the database is away: ${reasonOfOutage(error)}`);
      }
    }
    await sleep(RETRY_EVERY_MS, undefined, { signal });
  }
}

function tellOfChanges(client: mongo.MongoClient, logger: Logger): void {
  let primary: 'unknown' | 'there' | 'lost' = 'unknown';
  client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
    const isThere = servers.values().some(({ isWritable }) => isWritable);
    if (isThere && primary === 'lost') logger.info('database connected again');
    // A closed client knows no server at all.
    if (!isThere && primary === 'there' && servers.size > 0) logger.warn('database disconnected');
    if (isThere) primary = 'there';
    else if (primary === 'there') primary = 'lost';
  });
}
