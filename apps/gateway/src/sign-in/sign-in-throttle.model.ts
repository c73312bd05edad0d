import type { Connection } from 'mongoose';
import { nativeDb } from '@clew/persistence';

/** Collection of the counters of failed tries, which `rate-limiter-flexible` reads and writes. */
export const SIGN_IN_TRIES = 'sign_in_tries';

/** Makes the indexes that the counters need: the library would make them at each start. */
export async function ensureSignInTries(connection: Connection): Promise<void> {
  const tries = nativeDb(connection).collection(SIGN_IN_TRIES);
  await tries.createIndex({ key: 1 }, { unique: true });
  await tries.createIndex({ expire: 1 }, { expireAfterSeconds: 0 });
}
