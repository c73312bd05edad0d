import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { mongo, type Connection } from 'mongoose';
import {
  AppError,
  comeBackLater,
  createFingerprint,
  type Fingerprint,
  type IdempotencyStore,
  type IdempotentAttempt,
  type IdempotentReply,
  mayBeSameRequest,
  readJson,
  secretOfFingerprint,
  sha256Hex,
} from '@clew/kernel';
import { nativeDb, type Database, type Transaction } from './database.ts';

/** Request that is known by its `Idempotency-Key`: the attempt under way, or the reply without its body. */
interface KeyRow {
  /** Hash of scope and key. */
  _id: string;
  fingerprint: string;
  /** Requested path. */
  path: string;
  state: 'in_progress' | 'done';
  /** Identifier of the attempt that may take effect. */
  attempt: string;
  leaseUntil: Date;
  /** Time of the latest progress, or of the reply; the row expires a day later. */
  at: Date;
  status?: number;
  headers?: Record<string, string>;
  /** Number of parts of the body; 0 for a reply without one. */
  parts?: number;
  bodyMark?: string;
  /** True if the subject of the reply was erased, and the reply with it. */
  erased?: true;
  /** Progress of attempts that did not finish, as compressed JSON. */
  progress?: mongo.Binary;
}

/** Part of a compressed body, which may be larger than one document. */
interface ReplyPart {
  /** `<id of the key>:<number>` */
  _id: string;
  data: mongo.Binary;
  at: Date;
}

/**
 * Lease of an attempt; a live process renews it. An attempt that outlives its lease can no longer commit once another
 * began.
 */
const LEASE_MS = 20_000;
/** End of the lease by the database's clock, in a pipeline update. */
const LEASE_END = { $add: ['$$NOW', LEASE_MS] };
const REPLY_TTL_SECONDS = 24 * 3600;
/** Well below the size limit of one document. */
const MAX_PART_BYTES = 8 * 1024 * 1024;
const REPLIES_AT_A_TIME = 200;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Stores replies to requests with an `Idempotency-Key` for 24 hours, and only fingerprints of the requests. */
export function createIdempotencyStore(database: Database, authSecret: string): IdempotencyStore {
  const { keys, parts } = collectionsOf(database);
  const fingerprintOf = createFingerprint(authSecret);
  return {
    fingerprintOf,
    async begin({ scope, key, fingerprint }) {
      const id = sha256Hex(JSON.stringify([...scope, key]));
      const attempt = randomUUID();
      const row = await claim(keys, id, { attempt, fingerprint, path: scope.at(-1) ?? '' });
      if (row.attempt === attempt) {
        return { attempt: attemptOf(database, { id, attempt }, fingerprintOf, await progressOf(row)) };
      }
      if (!mayBeSameRequest(row.fingerprint, fingerprint)) {
        throw new AppError('IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key was used for another request');
      }
      if (row.state === 'done') return { reply: await readReply(parts, row) };
      throw inFlight();
    },
  };
}

/**
 * Takes a key for an attempt if the key is new, or if the lease of the attempt before it has expired by the database's
 * clock. Returns the row afterwards; if the key was not free, it still names another attempt.
 */
async function claim(
  keys: mongo.Collection<KeyRow>,
  id: string,
  { attempt, fingerprint, path }: Pick<KeyRow, 'attempt' | 'fingerprint' | 'path'>,
): Promise<KeyRow> {
  const secret = secretOfFingerprint(fingerprint);
  // The same condition as `mayBeSameRequest`.
  const isSameRequest = {
    $or: [{ $eq: ['$fingerprint', fingerprint] }, { $ne: [{ $indexOfCP: ['$fingerprint', secret] }, 0] }],
  };
  const isOver = {
    $and: [{ $eq: ['$state', 'in_progress'] }, isSameRequest, { $lte: ['$leaseUntil', '$$NOW'] }],
  };
  const isFree = { $or: [{ $eq: [{ $type: '$state' }, 'missing'] }, isOver] };
  const claimed = {
    attempt,
    fingerprint,
    path: { $literal: path },
    state: 'in_progress',
    leaseUntil: LEASE_END,
    at: '$$NOW',
  };
  const fields = Object.entries(claimed).map(([field, value]) => [field, { $cond: ['$free', value, `$${field}`] }]);
  const row = await keys.findOneAndUpdate(
    { _id: id },
    [{ $set: { free: isFree } }, { $set: Object.fromEntries(fields) as object }, { $unset: 'free' }],
    { upsert: true, returnDocument: 'after' },
  );
  if (row === null) throw new Error('An upsert returned nothing');
  return row;
}

function attemptOf(
  database: Database,
  { id, attempt }: { id: string; attempt: string },
  fingerprintOf: Fingerprint,
  progress: unknown,
): IdempotentAttempt {
  const { keys, parts } = collectionsOf(database);
  const mine = { _id: id, attempt };
  const underWay = { ...mine, state: 'in_progress' } as const;
  return {
    ...{ fingerprintOf, progress },
    async advance(tx: Transaction, reached: unknown) {
      const data = new mongo.Binary(await compress(JSON.stringify(reached)));
      const step = [{ $set: { progress: data, leaseUntil: LEASE_END, at: '$$NOW' } }];
      const { matchedCount } = await keys.updateOne(underWay, step, { session: tx });
      if (matchedCount === 0) throw inFlight();
    },
    async renew() {
      await keys.updateOne(underWay, [{ $set: { leaseUntil: LEASE_END, at: '$$NOW' } }]);
    },
    async record(tx: Transaction, { status, body, headers, bodyMark }: IdempotentReply) {
      const at = new Date();
      const data = body === null ? [] : await partsOf(body);
      const known = {
        status,
        headers: { ...headers },
        parts: data.length,
        ...(bodyMark === undefined ? {} : { bodyMark }),
      };
      const done = { $set: { state: 'done' as const, ...known, at }, $unset: { progress: true as const } };
      const { matchedCount } = await keys.updateOne(mine, done, { session: tx });
      if (matchedCount === 0) throw inFlight();
      if (data.length === 0) return;
      await parts.insertMany(
        data.map((part, index) => ({ _id: `${id}:${index}`, data: part, at })),
        { session: tx },
      );
    },
    async release() {
      const { deletedCount } = await keys.deleteOne({ ...underWay, progress: { $exists: false } });
      if (deletedCount === 0) await keys.updateOne(underWay, [{ $set: { leaseUntil: '$$NOW' } }]);
    },
  };
}

async function progressOf({ progress }: KeyRow): Promise<unknown> {
  return progress === undefined ? undefined : readJson((await decompress(progress.buffer)).toString());
}

async function partsOf(body: unknown): Promise<mongo.Binary[]> {
  const bytes = await compress(JSON.stringify(body));
  const parts: mongo.Binary[] = [];
  for (let start = 0; start < bytes.length; start += MAX_PART_BYTES) {
    parts.push(new mongo.Binary(bytes.subarray(start, start + MAX_PART_BYTES)));
  }
  return parts;
}

async function readReply(collection: mongo.Collection<ReplyPart>, row: KeyRow): Promise<IdempotentReply> {
  if (row.erased) throw new AppError('NOT_FOUND', 'What this Idempotency-Key made was erased');
  const ids = partIdsOf(row);
  const count = ids.length;
  const found = await collection.find({ _id: { $in: ids } }).toArray();
  // Parts expire one by one, slightly before or after the key.
  if (found.length < count || row.status === undefined) throw inFlight();
  const byId = new Map(found.map(({ _id, data }) => [_id, data.buffer]));
  const bytes = Buffer.concat(ids.map((id) => byId.get(id) ?? new Uint8Array()));
  const body: unknown = count === 0 ? null : readJson((await decompress(bytes)).toString());
  const mark = row.bodyMark === undefined ? {} : { bodyMark: row.bodyMark };
  return { status: row.status, body, headers: row.headers ?? {}, ...mark };
}

/** Stored reply, as text. */
export interface StoredReply {
  path: string;
  text: string;
  /** Erases the content; a repeated request then gets a not-found error. */
  erase(): Promise<void>;
}

/**
 * Reads the replies, and the progress of attempts, of requests whose paths have this prefix; few bodies are in memory
 * at once.
 */
export async function* readStoredReplies(database: Database, pathPrefix: string): AsyncGenerator<StoredReply> {
  const { keys } = collectionsOf(database);
  const filter = { path: { $gte: pathPrefix, $lt: `${pathPrefix}\uffff` }, erased: { $exists: false } };
  let page: KeyRow[] = [];
  for await (const row of keys.find(filter)) {
    page.push(row);
    if (page.length < REPLIES_AT_A_TIME) continue;
    yield* repliesOf(database, page);
    page = [];
  }
  yield* repliesOf(database, page);
}

/** Reads the parts of a page of replies in one command, in the order of the keys. */
async function* repliesOf(database: Database, page: readonly KeyRow[]): AsyncGenerator<StoredReply> {
  const { keys, parts } = collectionsOf(database);
  const rows = page.toSorted((left, right) => (left._id < right._id ? -1 : 1));
  const stored = parts.find({ _id: { $in: rows.flatMap(partIdsOf) } }, { sort: { _id: 1 } });
  let part = await stored.next();
  for (const row of rows) {
    const own: Uint8Array[] = [];
    for (; part?._id.startsWith(row._id) === true; part = await stored.next()) own.push(part.data.buffer);
    const ids = partIdsOf(row);
    const body = own.length < ids.length ? '' : await textOf(Buffer.concat(own));
    const progress = await textOf(row.progress?.buffer ?? new Uint8Array());
    yield {
      path: row.path,
      text: `${body}${progress}${JSON.stringify(row.headers ?? {})}`,
      async erase() {
        await keys.updateOne({ _id: row._id }, { $set: { erased: true, parts: 0 }, $unset: { progress: true } });
        await parts.deleteMany({ _id: { $in: ids } });
      },
    };
  }
}

function partIdsOf(row: KeyRow): string[] {
  return Array.from({ length: row.parts ?? 0 }, (_, index) => `${row._id}:${index}`);
}

async function textOf(compressed: Uint8Array): Promise<string> {
  return compressed.length === 0 ? '' : (await decompress(compressed)).toString();
}

function inFlight(): AppError {
  return comeBackLater('IDEMPOTENCY_KEY_IN_FLIGHT', 'A request with this Idempotency-Key is under way', 1_000);
}

function collectionsOf({ connection }: Pick<Database, 'connection'>) {
  const db = nativeDb(connection);
  return {
    keys: db.collection<KeyRow>('idempotency_keys'),
    parts: db.collection<ReplyPart>('idempotency_replies'),
  };
}

/** Creates the collections of the store and their indexes; for use in a migration. */
export async function ensureIdempotency(connection: Connection): Promise<void> {
  const { keys, parts } = collectionsOf({ connection });
  const expiry = { name: 'at_ttl', expireAfterSeconds: REPLY_TTL_SECONDS };
  await keys.createIndex({ at: 1 }, expiry);
  await parts.createIndex({ at: 1 }, expiry);
}
