import type { Connection } from 'mongoose';
import { nativeDb, type Database, type Transaction } from './database.ts';

/** Settings of a service by project, for projects that have changed any. */
export interface ProjectSettings<Settings extends object> {
  /** Returns the settings of a project; the defaults if it has none. */
  get(projectId: string, tx?: Transaction): Promise<Settings>;
  /** Returns the settings of many projects, by id, in one read. */
  getMany(projectIds: readonly string[]): Promise<ReadonlyMap<string, Settings>>;
  /** Changes the given settings, and returns the resulting ones. */
  change(projectId: string, change: Partial<Settings>, nowMs: number, tx?: Transaction): Promise<Settings>;
}

interface SettingsOptions<Settings> {
  collection: string;
  defaults: Settings;
}

/**
 * Stores one document per project, under the project's id; a setting that is newer than the document has its default.
 */
export function createProjectSettings<Settings extends object>(
  database: Database,
  { collection, defaults }: SettingsOptions<Settings>,
): ProjectSettings<Settings> {
  const documents = nativeDb(database.connection).collection<Partial<Settings> & { _id: string; updatedAt: number }>(
    collection,
  );
  const known = Object.keys(defaults) as (keyof Settings)[];
  const settingsOf = (document: Partial<Settings> | null): Settings => {
    const set = known.filter((name) => document?.[name] !== undefined).map((name) => [name, document?.[name]]);
    return { ...defaults, ...Object.fromEntries(set) };
  };
  return {
    async get(projectId, tx) {
      const options = tx === undefined ? {} : { session: tx };
      return settingsOf((await documents.findOne({ _id: projectId } as never, options)) as Partial<Settings> | null);
    },
    async getMany(projectIds) {
      const wanted = new Set(projectIds);
      const settings = new Map([...wanted].map((projectId) => [projectId, settingsOf(null)]));
      for await (const document of documents.find({ _id: { $in: [...wanted] } } as never)) {
        settings.set(String(document._id), settingsOf(document as Partial<Settings>));
      }
      return settings;
    },
    async change(projectId, change, nowMs, tx) {
      const changed = await documents.findOneAndUpdate(
        { _id: projectId } as never,
        { $set: { ...change, updatedAt: nowMs } as never },
        { upsert: true, returnDocument: 'after', ...(tx === undefined ? {} : { session: tx }) },
      );
      return settingsOf(changed as Partial<Settings> | null);
    },
  };
}

/** Creates the collection, in a migration: concurrent transactions that each create the same collection would fail. */
export async function ensureSettings(connection: Connection, collection: string): Promise<void> {
  const db = nativeDb(connection);
  const [existing] = await db.listCollections({ name: collection }, { nameOnly: true }).toArray();
  if (existing === undefined) await db.createCollection(collection);
}
