import type { Database, Transaction } from '@clew/persistence';
import { accountLinkModel, type AccountLink } from './account-link.model.ts';

export interface AccountLinkStore {
  insert(tx: Transaction, hash: string, link: AccountLink, expiresAtMs: number): Promise<void>;
  find(hash: string, nowMs: number): Promise<AccountLink | undefined>;
  /** Removes a link; false if it is there no more. */
  remove(tx: Transaction, hash: string): Promise<boolean>;
}

export function createAccountLinkStore(database: Database): AccountLinkStore {
  const model = accountLinkModel(database.connection);
  return {
    async insert(tx, hash, link, expiresAtMs) {
      await model.create([{ _id: hash, ...link, expiresAt: new Date(expiresAtMs) }], { session: tx });
    },
    async find(hash, nowMs) {
      const found = await model.findOne({ _id: hash, expiresAt: { $gt: new Date(nowMs) } }).lean();
      if (found === null) return undefined;
      const { _id, expiresAt: _expiresAt, ...link } = found;
      return link;
    },
    async remove(tx, hash) {
      const { deletedCount } = await model.deleteOne({ _id: hash }).session(tx);
      return deletedCount === 1;
    },
  };
}
