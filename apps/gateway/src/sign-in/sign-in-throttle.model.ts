import type { Connection, mongo } from 'mongoose';
import { nativeDb } from '@clew/persistence';

/** Collection of the counters of failed tries, which `rate-limiter-flexible` reads and writes. */
export function signInTries(connection: Connection): mongo.Collection {
  return nativeDb(connection).collection('sign_in_tries');
}

/** Makes the indexes that the counters need: the library would make them at each start. */
export async function ensureSignInTries(connection: Connection): Promise<void> {
  const tries = signInTries(connection);
  await tries.createIndex({ key: 1 }, { unique: true });
  await tries.createIndex({ expire: 1 }, { expireAfterSeconds: 0 });
}
