import { randomUUID } from 'node:crypto';
import { nativeDb, type Database } from './database.ts';

/** A claim on a name that one process holds at a time, and that ends by itself when its holder dies. */
export interface Lease {
  /** Takes the lease, or makes it last again for its whole time; false while another process holds it. */
  acquire(): Promise<boolean>;
  /** Gives it back at once; does nothing when it is no longer held. */
  release(): Promise<void>;
}

interface LeaseDocument {
  _id: string;
  holder: string;
  expiresAt: Date;
}

/**
 * A lease in the collection `leases`. Expiry is judged by the database's clock alone, so that the clocks of two
 * processes may differ. A holder that was paused beyond the time may still believe in it: what it guards must bear that.
 */
export function createLease(database: Database, name: string, durationMs: number): Lease {
  const holder = randomUUID();
  const leases = nativeDb(database.connection).collection<LeaseDocument>('leases');
  return {
    async acquire() {
      const free = { $or: [{ $eq: ['$holder', holder] }, { $lte: ['$expiresAt', '$$NOW'] }] };
      const taken = { holder, expiresAt: { $add: ['$$NOW', durationMs] } };
      // The document says who holds it after the update; without one, a missing expiry counts as over.
      const lease = await leases.findOneAndUpdate(
        { _id: name },
        [
          {
            $set: {
              holder: { $cond: [free, taken.holder, '$holder'] },
              expiresAt: { $cond: [free, taken.expiresAt, '$expiresAt'] },
            },
          },
        ],
        { upsert: true, returnDocument: 'after' },
      );
      return lease?.holder === holder;
    },
    async release() {
      await leases.deleteOne({ _id: name, holder });
    },
  };
}
