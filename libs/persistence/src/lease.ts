import { randomUUID } from 'node:crypto';
import type { mongo } from 'mongoose';
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

const DUPLICATE_KEY = 11000;

/**
 * A lease in the collection `leases`. Expiry is judged by the database's clock alone, so that the clocks of two
 * processes may differ. A holder that was paused beyond the time may still believe in it: what it guards must bear that.
 */
export function createLease(database: Database, name: string, durationMs: number): Lease {
  const holder = randomUUID();
  const leases = nativeDb(database.connection).collection<LeaseDocument>('leases');
  return {
    async acquire() {
      const free: mongo.Filter<LeaseDocument> = { $or: [{ holder }, { $expr: { $lte: ['$expiresAt', '$$NOW'] } }] };
      try {
        await leases.updateOne(
          { _id: name, ...free },
          [{ $set: { holder, expiresAt: { $add: ['$$NOW', durationMs] } } }],
          { upsert: true },
        );
        return true;
      } catch (error) {
        // The upsert found no free lease and could not insert beside the one that is held.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async release() {
      await leases.deleteOne({ _id: name, holder });
    },
  };
}

/** Whether a write failed on a unique index. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DUPLICATE_KEY;
}
