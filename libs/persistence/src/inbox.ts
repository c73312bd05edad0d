import type { Connection } from 'mongoose';
import { nativeDb, type Database, type Transaction } from './database.ts';

interface InboxRow {
  /** `<consumer>:<messageId>` */
  _id: string;
  at: Date;
}

export interface Inbox {
  /**
   * Records messages in the transaction of their effect, and returns the ids that were not recorded before: only those
   * may take effect. If two transactions have the same message, one runs again and then finds it recorded.
   */
  accept(tx: Transaction, messageIds: readonly string[]): Promise<Set<string>>;
}

/** Longer than any message can be in transit: retries, replayed dead letters, a broker outage. */
const INBOX_TTL_SECONDS = 14 * 24 * 3600;

/** Memory of one consumer, which makes an effect happen once although delivery is at least once. */
export function createInbox(database: Database, consumer: string): Inbox {
  const rows = nativeDb(database.connection).collection<InboxRow>('inbox');
  return {
    async accept(tx, messageIds) {
      const idOfRow = new Map(messageIds.map((messageId) => [`${consumer}:${messageId}`, messageId]));
      const known = rows.find({ _id: { $in: [...idOfRow.keys()] } }, { session: tx, projection: { _id: 1 } });
      for await (const { _id } of known) idOfRow.delete(_id);
      if (idOfRow.size > 0) {
        const at = new Date();
        await rows.insertMany(
          [...idOfRow.keys()].map((_id) => ({ _id, at })),
          { session: tx },
        );
      }
      return new Set(idOfRow.values());
    },
  };
}

/** Creates the collection of the inbox and its index; for use in a migration. */
export async function ensureInbox(connection: Connection): Promise<void> {
  await nativeDb(connection)
    .collection<InboxRow>('inbox')
    .createIndex({ at: 1 }, { name: 'at_ttl', expireAfterSeconds: INBOX_TTL_SECONDS });
}
