import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { spansReceived, type TelemetryGroup } from '@clew/contracts';
import { readJson, type Clock } from '@clew/kernel';
import { nativeDb, type Database } from '@clew/persistence';
import type { mongo } from 'mongoose';
import { assembleDue } from '../src/assembly/index.ts';
import { createStores } from './retention-stores.ts';

export const PROJECT_ID = `prj_${'1'.repeat(26)}`;
const PATTERN_PROJECT_ID = `prj_${'0'.repeat(26)}`;
const COLLECTIONS = ['fragment_contents', 'trace_fragments', 'snapshots', 'conversations'] as const;
/** One in this many conversations gets an additional snapshot that the conversation no longer names. */
const EARLIER_SNAPSHOT_EVERY = 4;

type Stored = Record<string, unknown> & { _id: unknown };
type Pattern = Record<(typeof COLLECTIONS)[number], Stored[]> & { ids: string[]; spans: number };

/**
 * Stores conversations as the warehouse does, then copies of the stored documents with ids of their own, until there
 * are `spans` spans: the cost of a write or an assembly is not measured here.
 */
export async function fill(database: Database, file: string, spans: number, receivedAtMs: number): Promise<number> {
  const patterns = await patternsOf(database, file, { now: () => receivedAtMs });
  const round = randomUUID();
  let stored = 0;
  for (let copy = 0; stored < spans; copy += 1) {
    const taken = patterns.filter(({ spans: own }) => {
      const isWanted = stored < spans;
      if (isWanted) stored += own;
      return isWanted;
    });
    for (const name of COLLECTIONS) {
      const documents = taken.flatMap((pattern, index) => copied(pattern, name, `${round}-${copy}-${index}`));
      const moved = documents.map((document) => at(document, name, receivedAtMs + copy));
      await nativeDb(database.connection)
        .collection(name)
        .insertMany(moved as mongo.OptionalId<mongo.Document>[], { ordered: false });
    }
  }
  return stored;
}

async function patternsOf(database: Database, file: string, clock: Clock): Promise<Pattern[]> {
  const { writer, loop } = createStores(database, clock);
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    await writer.store(messageOf(readJson(line) as TelemetryGroup[], clock.now()));
  }
  while ((await assembleDue(loop)) > 0);
  const db = nativeDb(database.connection);
  const ofPattern = { projectId: PATTERN_PROJECT_ID };
  const [contents, fragments, snapshots, conversations] = await Promise.all(
    COLLECTIONS.map(async (name) => (await db.collection(name).find(ofPattern).toArray()) as unknown as Stored[]),
  );
  for (const name of COLLECTIONS) await db.collection(name).deleteMany(ofPattern);
  return (conversations ?? []).map((conversation) => {
    const traceIds = conversation['traceIds'] as string[];
    const own = (fragments ?? []).filter(({ traceId }) => traceIds.includes(traceId as string));
    const isOwn = new Set(own.map(({ _id }) => _id));
    return {
      conversations: [conversation],
      trace_fragments: own,
      fragment_contents: (contents ?? []).filter(({ _id }) => isOwn.has(_id)),
      snapshots: (snapshots ?? []).filter(({ _id }) => _id === conversation['snapshotId']),
      ids: [conversation['conversationId'] as string, conversation['snapshotId'] as string, ...traceIds],
      spans: own.reduce((sum, { spanCount }) => sum + Number(spanCount), 0),
    };
  });
}

function messageOf(groups: TelemetryGroup[], receivedAt: number) {
  const { type, version } = spansReceived;
  const data = { receivedAt, groups };
  return {
    id: randomUUID(),
    type,
    version,
    occurredAt: receivedAt,
    projectId: PATTERN_PROJECT_ID,
    requestId: null,
    data,
  };
}

/** Documents of a pattern in one collection, with new ids. */
function copied(pattern: Pattern, name: (typeof COLLECTIONS)[number], seed: string): Stored[] {
  const idOf = (id: string) => createHash('sha256').update(`${seed}:${id}`).digest('hex').slice(0, 32);
  const renames = pattern.ids.map((id) => [id, id.startsWith('cesr_') ? `cesr_${idOf(id).slice(0, 26)}` : idOf(id)]);
  const renamed = (text: string) =>
    renames
      .reduce((left, [from = '', to = '']) => left.replaceAll(from, to), text)
      .replace(PATTERN_PROJECT_ID, PROJECT_ID);
  const documents = pattern[name].map((document) => mapped(document, renamed) as Stored);
  if (name !== 'snapshots' || Number.parseInt(idOf('').slice(0, 4), 16) % EARLIER_SNAPSHOT_EVERY > 0) return documents;
  return documents.flatMap((document) => [document, { ...document, _id: `cesr_${randomUUID()}`, revision: 0 }]);
}

function mapped(value: unknown, renamed: (text: string) => string): unknown {
  if (typeof value === 'string') return renamed(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, renamed));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === 'terms' ? item : mapped(item, renamed)]),
  );
}

/** Document with its times set as if it had been received at `atMs`. */
function at(document: Stored, name: (typeof COLLECTIONS)[number], atMs: number): Stored {
  if (name === 'snapshots') return { ...document, createdAt: new Date(atMs) };
  if (name !== 'conversations') return { ...document, receivedAt: new Date(atMs) };
  return { ...document, receivedAt: atMs, startedAt: atMs, lastActivityAt: atMs };
}
