import type { Database, Transaction } from '@clew/persistence';
import { resetModel, type StoredReset } from './reset.model.ts';

export interface ResetStore {
  /** Stores the link of a person, in place of an earlier one. */
  put(tx: Transaction, reset: StoredReset): Promise<void>;
  findByToken(tokenHash: string, tx?: Transaction): Promise<StoredReset | undefined>;
  /** Removes a link; false if it is there no more. */
  remove(tx: Transaction, reset: Pick<StoredReset, 'userId' | 'tokenHash'>): Promise<boolean>;
}

export function createResetStore(database: Database): ResetStore {
  const model = resetModel(database.connection);
  return {
    async put(tx, { userId, ...rest }) {
      const fields = { ...rest, purgeAt: new Date(rest.expiresAt) };
      await model.updateOne({ _id: userId }, { $set: fields }, { upsert: true }).session(tx);
    },
    async findByToken(tokenHash, tx) {
      const document = await model
        .findOne({ tokenHash })
        .session(tx ?? null)
        .lean();
      if (document === null) return undefined;
      const { _id: userId, purgeAt: _, ...rest } = document;
      return { userId, ...rest };
    },
    async remove(tx, { userId, tokenHash }) {
      const { deletedCount } = await model.deleteOne({ _id: userId, tokenHash }).session(tx);
      return deletedCount === 1;
    },
  };
}
