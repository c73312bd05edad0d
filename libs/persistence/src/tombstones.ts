import type { Connection, mongo } from 'mongoose';
import { sha256Hex } from '@clew/kernel';
import { nativeDb, type Database, type Transaction } from './database.ts';

interface Tombstone {
  /** Hash of the erased name, so that not even the name is kept. */
  _id: string;
  projectId: string;
  at: Date;
}

/** Record of erased items, so that messages about them that are in transit, or arrive again, are not accepted. */
export interface Tombstones {
  set(projectId: string, names: readonly string[]): Promise<void>;
  /** Returns the names that were erased; all of them if the project was. */
  among(projectId: string, names: readonly string[], tx?: Transaction): Promise<Set<string>>;
  /** Records that the whole project is erased. */
  setProject(projectId: string): Promise<void>;
  hasProject(projectId: string): Promise<boolean>;
}

export function createTombstones(database: Database): Tombstones {
  const tombstones = collectionOf(database);

  async function add(projectId: string, ids: readonly string[]): Promise<void> {
    const at = new Date();
    const writes = ids.map((_id) => ({
      updateOne: { filter: { _id }, update: { $setOnInsert: { projectId, at } }, upsert: true },
    }));
    if (writes.length > 0) await tombstones.bulkWrite(writes, { ordered: false });
  }

  return {
    set: (projectId, names) =>
      add(
        projectId,
        names.map((name) => idOf(projectId, name)),
      ),
    async among(projectId, names, tx) {
      const nameOf = new Map(names.map((name) => [idOf(projectId, name), name]));
      if (nameOf.size === 0) return new Set();
      const wanted = { _id: { $in: [idOf(projectId), ...nameOf.keys()] } };
      const options = { projection: { _id: 1 }, ...(tx === undefined ? {} : { session: tx }) } as const;
      const found = new Set((await tombstones.find(wanted, options).toArray()).map(({ _id }) => _id));
      if (found.has(idOf(projectId))) return new Set(names);
      return new Set([...nameOf].flatMap(([id, name]) => (found.has(id) ? [name] : [])));
    },
    setProject: (projectId) => add(projectId, [idOf(projectId)]),
    hasProject: async (projectId) => (await tombstones.countDocuments({ _id: idOf(projectId) }, { limit: 1 })) > 0,
  };
}

function collectionOf({ connection }: Pick<Database, 'connection'>): mongo.Collection<Tombstone> {
  return nativeDb(connection).collection<Tombstone>('tombstones');
}

function idOf(projectId: string, ...name: readonly string[]): string {
  return sha256Hex(JSON.stringify([projectId, ...name]));
}

/** Creates the collection of tombstones, which are looked up by their ids only; for use in a migration. */
export async function ensureTombstones(connection: Connection): Promise<void> {
  await collectionOf({ connection }).createIndex({ projectId: 1 }, { name: 'project' });
}
