import type { Database } from '@clew/persistence';
import { conversationCollection } from '../conversations/conversation.model.ts';
import { fragmentCollection } from '../fragments/fragments.store.ts';
import type { ExpireFragments } from './expire-fragments.ts';
import { COUNT_LIMIT, cutOf, type Batch, type Mechanism, type SweepContext } from './mechanism.ts';
import type { RemoveConversations } from './remove-conversations.ts';
import type { SweepPosition } from './sweep.model.ts';

export interface TelemetryRowsDependencies {
  database: Database;
  expireFragments: ExpireFragments;
  removeConversations: RemoveConversations;
}

const FRAGMENTS_AT_A_TIME = 500;
const CONVERSATIONS_AT_A_TIME = 250;
const UNDATED_AT_A_TIME = 1_000;

/**
 * Removes conversations of which nothing has come for as long, then records: of what went as a whole no words are left to
 * be taken one by one.
 */
export function createTelemetryRows(dependencies: TelemetryRowsDependencies): Mechanism {
  const { database, expireFragments, removeConversations } = dependencies;
  const heads = fragmentCollection(database);
  const conversations = conversationCollection(database.connection);
  const cutFor = ({ nowMs, settings }: SweepContext) => cutOf(nowMs, settings.telemetryRetentionDays);

  async function sweepFragments(context: SweepContext, { chosen }: SweepPosition): Promise<Batch> {
    const { projectId } = context;
    const cut = cutFor(context);
    let fragments = 0;
    if (chosen !== undefined) {
      // Words that the other mechanism has not come to yet go with their records, from their copies as well.
      await expireFragments.contentsOf(projectId, chosen, cut);
      fragments = (await heads.deleteMany({ _id: { $in: chosen }, projectId })).deletedCount;
    }
    const next = await heads
      .find(
        { projectId, receivedAt: { $lt: cut } },
        { projection: { _id: 1 }, sort: { receivedAt: 1 }, limit: FRAGMENTS_AT_A_TIME },
      )
      .toArray();
    return {
      removed: { fragments },
      next: next.length === 0 ? undefined : { step: 'fragments', chosen: next.map(({ _id }) => _id) },
    };
  }

  /** Those from before it was noted when something came last: their time begins now. */
  async function dateConversations({ projectId, nowMs }: SweepContext): Promise<Batch> {
    const undated = await conversations
      .find({ projectId, receivedAt: null as never }, { projection: { _id: 1 }, limit: UNDATED_AT_A_TIME })
      .toArray();
    if (undated.length === 0) return { removed: {}, next: { step: 'conversations' } };
    const _id = { $in: undated.map((one) => one._id) };
    await conversations.updateMany({ _id, receivedAt: null as never }, { $set: { receivedAt: nowMs } });
    return { removed: {}, next: { step: 'undated' } };
  }

  async function sweepConversations(context: SweepContext): Promise<Batch> {
    const { projectId } = context;
    const receivedBefore = cutFor(context).getTime();
    const old = await conversations
      .find(
        { projectId, receivedAt: { $lt: receivedBefore } },
        { projection: { conversationId: 1 }, sort: { receivedAt: 1 }, limit: CONVERSATIONS_AT_A_TIME },
      )
      .toArray();
    if (old.length === 0) return { removed: {}, next: { step: 'fragments' } };
    const ids = old.map(({ conversationId }) => conversationId);
    return {
      removed: await removeConversations(projectId, ids, { receivedBefore }),
      next: { step: 'conversations' },
    };
  }

  return {
    first: { step: 'undated' },
    async sweep(context, position) {
      if (position.step === 'fragments') return await sweepFragments(context, position);
      return position.step === 'undated' ? await dateConversations(context) : await sweepConversations(context);
    },
    async waiting(context) {
      const cut = cutFor(context);
      const { projectId } = context;
      const expired = { projectId, receivedAt: { $lt: cut } };
      const [fragments, old, first] = await Promise.all([
        heads.countDocuments(expired, { limit: COUNT_LIMIT }),
        conversations.countDocuments({ projectId, receivedAt: { $lt: cut.getTime() } }, { limit: COUNT_LIMIT }),
        heads.findOne(expired, { sort: { receivedAt: 1 }, projection: { receivedAt: 1 } }),
      ]);
      return { count: Math.min(COUNT_LIMIT, fragments + old), oldestAt: first?.receivedAt.getTime() ?? null };
    },
  };
}
