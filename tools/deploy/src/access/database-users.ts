import { SERVICE_NAMES, serviceDefinition, type ServiceName } from '@clew/contracts/services';
import { databaseOf } from './databases.ts';

/** User of one database, without access to any other. */
export interface DatabaseUser {
  readonly user: string;
  readonly database: string;
  /** `runs` reads and writes documents; `migrates` also changes collections and indexes. */
  readonly does: 'runs' | 'migrates';
}

/** Allowed actions of each kind of user, on every collection of its database. */
export const DATABASE_ACTIONS: Readonly<Record<DatabaseUser['does'], readonly string[]>> = {
  runs: ['find', 'insert', 'update', 'remove', 'listCollections', 'listIndexes', 'changeStream', 'dbStats'],
  migrates: [
    ...['find', 'insert', 'update', 'remove', 'listCollections', 'listIndexes', 'collStats', 'dbStats'],
    ...['createCollection', 'createIndex', 'dropCollection', 'dropIndex', 'collMod', 'renameCollectionSameDB'],
  ],
};

/** One user for each process with a database, and one for the migrations of each database. */
export const DATABASE_USERS: readonly DatabaseUser[] = SERVICE_NAMES.flatMap((name) => {
  const database = databaseOf(name);
  if (database === undefined) return [];
  const runs = { user: name, database, does: 'runs' } as const;
  return ownsDatabase(name) ? [runs, { user: `${name}-migrate`, database, does: 'migrates' }] : [runs];
});

function ownsDatabase(name: ServiceName): boolean {
  return serviceDefinition(name).database !== undefined;
}
