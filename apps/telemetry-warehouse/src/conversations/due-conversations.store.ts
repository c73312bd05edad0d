import { randomUUID } from 'node:crypto';
import { backoffMs, type BackOff } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { conversationModel } from './conversation.model.ts';
import type { KnownConversation } from './conversations.store.ts';

export interface ClaimOptions {
  /** At most so many at a time. */
  limit: number;
  /** After it another process may take over. */
  leaseMs: number;
}

/** The conversations that have been quiet long enough, as work that one process at a time takes. */
export interface DueConversations {
  /** Takes those that have been due the longest. One that failed before comes alone. */
  claim(nowMs: number, options: ClaimOptions): Promise<KnownConversation[]>;
  /** Gives one back that was not tried. */
  giveBack(claimed: KnownConversation): Promise<void>;
  /** Puts one off that failed, for longer with every time. */
  putOff(claimed: KnownConversation, nowMs: number): Promise<void>;
}

const BACK_OFF: BackOff = { firstMs: 2_000, maxMs: 10 * 60_000 };
const MAX_LEASE_FACTOR = 32;

export function createDueConversations(database: Database): DueConversations {
  const model = conversationModel(database.connection);

  return {
    async claim(nowMs, { limit, leaseMs }) {
      const claimable = { dueAt: { $gt: 0, $lte: nowMs }, leaseUntil: { $lte: nowMs } };
      const due = await model
        .find(claimable, { attempts: 1 })
        .sort({ dueAt: 1 })
        .limit(limit)
        .lean<{ _id: string; attempts: number }[]>();
      const first = due[0];
      if (first === undefined) return [];
      const failedBefore = first.attempts > 0;
      const chosen = failedBefore ? [first] : due.filter(({ attempts }) => attempts === 0);
      // One that kills its process tells nobody: its lease is its back-off.
      const leaseUntil = nowMs + backoffMs(first.attempts + 1, { firstMs: leaseMs, maxMs: MAX_LEASE_FACTOR * leaseMs });
      const _id = { $in: chosen.map((one) => one._id) };
      const claim = randomUUID();
      await model.updateMany({ _id, ...claimable }, { $set: { leaseUntil, claim }, $inc: { attempts: 1 } });
      return await model.find({ _id, claim }, { terms: 0 }).sort({ dueAt: 1 }).lean<KnownConversation[]>();
    },
    async giveBack({ _id, claim, attempts }) {
      await model.updateOne({ _id, claim }, { $set: { leaseUntil: 0, claim: null, attempts: attempts - 1 } });
    },
    async putOff({ _id, claim, attempts }, nowMs) {
      const dueAt = nowMs + backoffMs(attempts, BACK_OFF);
      await model.updateOne({ _id, claim }, { $set: { leaseUntil: 0, claim: null }, $max: { dueAt } });
    },
  };
}
