import type { Database, Transaction } from '@clew/persistence';
import { oneTimeLinkModel } from './one-time-link.model.ts';

export interface NewLink {
  hash: string;
  purpose: 'set-up' | 'sign-in';
  userId: string | null;
  nowMs: number;
  expiresAtMs: number;
}

export interface OneTimeLinkStore {
  insert(link: NewLink, tx?: Transaction): Promise<void>;
  /** Tells whether a link could be used now. */
  isOpen(purpose: NewLink['purpose'], hash: string, nowMs: number): Promise<boolean>;
  /** Uses a link up; undefined if it is unknown, used or expired. Of two uses at the same time one gets undefined. */
  use(
    tx: Transaction,
    purpose: NewLink['purpose'],
    hash: string,
    nowMs: number,
  ): Promise<{ userId: string | null } | undefined>;
  /** Removes all links of a purpose. */
  removeAll(tx: Transaction, purpose: NewLink['purpose']): Promise<void>;
  /** Makes the document that `guardFirst` writes; safe to repeat. */
  prepareGuard(nowMs: number): Promise<void>;
  /** Makes every other transaction that makes the first owner at the same time wait for this one. */
  guardFirst(tx: Transaction): Promise<void>;
}

const GUARD = 'guard';

export function createOneTimeLinkStore(database: Database): OneTimeLinkStore {
  const model = oneTimeLinkModel(database.connection);
  const open = (purpose: NewLink['purpose'], hash: string, nowMs: number) => ({
    ...{ _id: hash, purpose },
    expiresAt: { $gt: new Date(nowMs) },
  });
  return {
    async insert({ hash, purpose, userId, nowMs, expiresAtMs }, tx) {
      const link = { _id: hash, purpose, userId, createdAt: nowMs, expiresAt: new Date(expiresAtMs) };
      await model.create([link], tx === undefined ? {} : { session: tx });
    },
    async isOpen(purpose, hash, nowMs) {
      return (await model.findOne(open(purpose, hash, nowMs), { _id: 1 }).lean()) !== null;
    },
    async use(tx, purpose, hash, nowMs) {
      const used = await model
        .findOneAndDelete(open(purpose, hash, nowMs))
        .session(tx)
        .lean();
      return used === null ? undefined : { userId: used.userId };
    },
    async removeAll(tx, purpose) {
      await model.deleteMany({ purpose }).session(tx);
    },
    async prepareGuard(nowMs) {
      const made = { purpose: GUARD, userId: null, createdAt: nowMs, expiresAt: null, uses: 0 } as const;
      await model.updateOne({ _id: GUARD }, { $setOnInsert: made }, { upsert: true });
    },
    async guardFirst(tx) {
      await model.updateOne({ _id: GUARD }, { $inc: { uses: 1 } }).session(tx);
    },
  };
}
