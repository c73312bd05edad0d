import type { mongo } from 'mongoose';
import { nativeDb, type Database } from './database.ts';
import { readStoredReplies } from './idempotency.ts';

/** Documents removed by one call, by collection. */
export interface ErasedProjectBatch {
  removed: Record<string, number>;
  /** True if nothing is left; otherwise the same call continues. */
  done: boolean;
}

/** Removes some of a project's documents from a database. Safe to repeat, and to be killed. */
export type EraseProject = (projectId: string) => Promise<ErasedProjectBatch>;

export interface EraseProjectOptions {
  /** Runs first in each call, to stop further writes; resolves with the documents that it has removed itself. */
  before?(projectId: string): Promise<Record<string, number>>;
  /** Collections that are not touched. */
  keep?: readonly string[];
  /** Time limit of one call; 2,000 by default. */
  turnMs?: number;
}

/** Collections that belong to no project, that expire by themselves and hold only ids, or that must stay. */
const KEPT = new Set([
  'migrations',
  'leases',
  'inbox',
  'tombstones',
  'outbox',
  'idempotency_keys',
  'idempotency_replies',
]);
const DOCUMENTS_AT_A_TIME = 1_000;
const TURN_MS = 2_000;

/**
 * Covers every collection of the database, including those that are added later. A document belongs to the project that
 * its `projectId` names, or whose id begins its own (`<project>`, `<project>:...`, `<project>/...`).
 */
export function createEraseProject(database: Database, options: EraseProjectOptions = {}): EraseProject {
  const db = nativeDb(database.connection);
  const kept = new Set([...KEPT, ...(options.keep ?? [])]);

  async function names(): Promise<string[]> {
    const found = await db.listCollections({}, { nameOnly: true }).toArray();
    return found.map(({ name }) => name).filter((name) => !kept.has(name) && !name.startsWith('system.'));
  }

  /** Resolves with the number of removed documents; fewer than a full batch means that none is left. */
  async function eraseSome(name: string, filter: object): Promise<number> {
    const documents = db.collection<{ _id: mongo.BSON.ObjectId | string }>(name);
    const options = { projection: { _id: 1 }, limit: DOCUMENTS_AT_A_TIME } as const;
    const ids = (await documents.find(filter, options).toArray()).map(({ _id }) => _id);
    if (ids.length > 0) await documents.deleteMany({ _id: { $in: ids } });
    return ids.length;
  }

  return async (projectId) => {
    const untilMs = performance.now() + (options.turnMs ?? TURN_MS);
    const removed = counted((await options.before?.(projectId)) ?? {});
    const ownership = [{ projectId }, { _id: { $gte: projectId, $lt: `${projectId}~` } }];
    for (const name of await names()) {
      for (const filter of ownership) {
        for (let count = DOCUMENTS_AT_A_TIME; count === DOCUMENTS_AT_A_TIME;) {
          count = await eraseSome(name, filter);
          if (count === 0) break;
          removed[name] = (removed[name] ?? 0) + count;
          if (performance.now() > untilMs) return { removed, done: false };
        }
      }
    }
    const replies = await eraseReplies(database, projectId);
    return { removed: { ...removed, ...counted({ replies }) }, done: true };
  };
}

async function eraseReplies(database: Database, projectId: string): Promise<number> {
  let count = 0;
  for await (const reply of readStoredReplies(database, `/v1/projects/${projectId}`)) {
    await reply.erase();
    count += 1;
  }
  return count;
}

function counted(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
