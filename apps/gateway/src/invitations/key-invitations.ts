import type { Connection } from 'mongoose';
import { nativeDb } from '@clew/persistence';

/** Gives invitations of the first form the key by which they are found for an address. Safe to repeat. */
export async function keyInvitations(connection: Connection): Promise<void> {
  await nativeDb(connection)
    .collection('invitations')
    .updateMany({ emailKey: { $exists: false } }, [{ $set: { emailKey: { $toLower: '$email' } } }]);
}
