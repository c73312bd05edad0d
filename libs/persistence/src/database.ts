import type { Connection, mongo } from 'mongoose';

/** Session of a running transaction; every read and write in the transaction takes it. */
export type Transaction = mongo.ClientSession;

/** Database of one service. */
export interface Database {
  readonly connection: Connection;
  /**
   * Runs the work in one transaction (snapshot reads, majority and journaled writes) and returns its result. The work
   * runs again when the server asks for it (a write conflict, a new primary). It must therefore have no effect besides
   * its writes, and must let the driver's errors through unwrapped. Work that throws leaves nothing behind.
   */
  withTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Registers a callback for after the commit; an abort discards it. The callback must not throw. */
  afterCommit(tx: Transaction, callback: () => void): void;
  /** Rejects when the primary does not answer within the time limit. */
  ping(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

export const WRITE_CONCERN = { w: 'majority', journal: true } as const;
export const DUPLICATE_KEY_CODE = 11_000;

/** Creates a database on a connection, which may not be open yet. */
export function createDatabase(connection: Connection): Database {
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

/** Tells whether a write failed on a unique index. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DUPLICATE_KEY_CODE;
}

/** Returns the driver's database behind a connection. */
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
