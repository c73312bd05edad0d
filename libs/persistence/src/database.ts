import { Mongoose, type Connection, type mongo } from 'mongoose';
import type { Logger } from '@clew/runtime';

/** The session of a running transaction; every read and write that belongs to the transaction takes it. */
export type Transaction = mongo.ClientSession;

export interface MongoOptions {
  /** A replica set: transactions need one. */
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

/** One service's database. */
export interface Database {
  readonly connection: Connection;
  /**
   * Runs the work in one transaction (snapshot reads, majority and journaled writes) and returns its result. The work
   * runs again when the server asks for it (a write conflict, a new primary), so it must have no effect besides its
   * writes, and must let the driver's errors through unwrapped. What throws leaves nothing behind.
   */
  withTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Registers what is to happen once the transaction has committed; forgotten when it aborts. Must not throw. */
  afterCommit(tx: Transaction, callback: () => void): void;
  /** Rejects when the primary does not answer within the time. */
  ping(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * What a majority has: nothing is told of that could be rolled back, and whoever acts on what was read finds it in the
 * snapshot that their transaction reads. What the primary alone has may be ahead of that.
 */
const READ_CONCERN = { level: 'majority' } as const;
const WRITE_CONCERN = { w: 'majority', journal: true } as const;
/** A majority that is away for longer is reported to the caller, whose repeat is idempotent. */
const WRITE_CONCERN_TIMEOUT_MS = 10_000;
export const DUPLICATE_KEY_CODE = 11_000;

/** Connects to one database; rejects when no primary is reachable within the server selection time. */
export async function connectMongo(options: MongoOptions): Promise<Database> {
  // An instance of its own, since the options below would otherwise be the whole process's.
  const mongoose = new Mongoose();
  // A filter with a field that the schema lacks must fail: silently dropped, it would match other tenants' documents.
  mongoose.set('strictQuery', 'throw');
  const connection = mongoose.createConnection(options.url, {
    dbName: options.database,
    appName: options.appName,
    // Collections and indexes are made by migrations only.
    autoCreate: false,
    autoIndex: false,
    bufferCommands: false,
    retryReads: true,
    retryWrites: true,
    readConcern: READ_CONCERN,
    writeConcern: { ...WRITE_CONCERN, wtimeoutMS: WRITE_CONCERN_TIMEOUT_MS },
    maxPoolSize: options.maxPoolSize ?? 20,
    serverSelectionTimeoutMS: options.serverSelectionTimeoutMs ?? 3_000,
    socketTimeoutMS: options.socketTimeoutMs ?? 30_000,
  });
  logConnectionChanges(connection, options.logger);
  try {
    await connection.asPromise();
  } catch (error) {
    // The driver would go on looking for the servers.
    await connection.destroy();
    throw error;
  }
  return createDatabase(connection);
}

function logConnectionChanges(connection: Connection, logger: Logger): void {
  connection.on('error', (error: unknown) => logger.error({ err: error }, 'database connection error'));
  connection.on('disconnected', () => logger.warn('database disconnected'));
  connection.on('reconnected', () => logger.info('database connected again'));
}

function createDatabase(connection: Connection): Database {
  const callbacks = new WeakMap<Transaction, (() => void)[]>();
  return {
    connection,
    async withTransaction(work) {
      let session: Transaction | undefined;
      const result = await connection.transaction(
        (tx) => {
          session = tx;
          callbacks.set(tx, []);
          return work(tx);
        },
        { readConcern: { level: 'snapshot' }, writeConcern: WRITE_CONCERN, readPreference: 'primary' },
      );
      if (session !== undefined) callbacks.get(session)?.forEach((callback) => callback());
      return result;
    },
    afterCommit(tx, callback) {
      const registered = callbacks.get(tx);
      if (registered === undefined) throw new Error('The transaction was not begun by withTransaction');
      registered.push(callback);
    },
    async ping(timeoutMs) {
      await bounded(nativeDb(connection).admin().ping(), timeoutMs);
    },
    async close() {
      await connection.close();
    },
  };
}

/** Whether a write failed on a unique index. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DUPLICATE_KEY_CODE;
}

/** The driver's database behind a connection; it exists once the connection was made. */
export function nativeDb(connection: Connection): mongo.Db {
  if (connection.db === undefined) throw new Error('The database is not connected');
  return connection.db;
}

async function bounded(operation: Promise<unknown>, timeoutMs: number): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`The database did not answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    await Promise.race([operation, promise]);
  } finally {
    clearTimeout(timer);
  }
}
