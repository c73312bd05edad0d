import type { Connection } from 'mongoose';
import { nativeDb } from '@clew/persistence';

/** Drops an index of the people of an earlier form, which was not unique, so that it can be made anew. Safe to repeat. */
export async function dropUnlessUnique(connection: Connection, name: string): Promise<void> {
  const users = nativeDb(connection).collection('users');
  const index = (await users.indexes()).find((each) => each.name === name);
  if (index !== undefined && index.unique !== true) await users.dropIndex(name);
}
