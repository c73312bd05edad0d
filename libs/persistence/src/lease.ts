import { randomUUID } from 'node:crypto';
import { nativeDb, type Database } from './database.ts';

/** Claim on a name that one process holds at a time, and that expires when its holder dies. */
export interface Lease {
  /** Takes the lease, or renews it for its full time; false while another process holds it. */
  acquire(): Promise<boolean>;
  /** Gives the lease back at once; does nothing if it is no longer held. */
  release(): Promise<void>;
}

interface LeaseDocument {
  _id: string;
  holder: string;
  expiresAt: Date;
}

/**
 * Creates a lease in the collection `leases`. Only the database's clock decides on expiry, so the clocks of two
 * processes may differ. A holder that was paused beyond the lease time may still believe it holds the lease: the
 * guarded work must tolerate that.
 */
export function createLease(database: Database, name: string, durationMs: number): Lease {
  const holder = randomUUID();
  const leases = nativeDb(database.connection).collection<LeaseDocument>('leases');
  return {
    async acquire() {
      const free = { $or: [{ $eq: ['$holder', holder] }, { $lte: ['$expiresAt', '$$NOW'] }] };
      const taken = { holder, expiresAt: { $add: ['$$NOW', durationMs] } };
      // The returned document names the holder after the update; without one, a missing expiry counts as over.
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
