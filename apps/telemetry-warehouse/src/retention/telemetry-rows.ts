import type { Database } from '@clew/persistence';
import { conversationCollection } from '../conversations/index.ts';
import { fragmentCollection } from '../fragments/index.ts';
import type { ExpireFragments } from './expire-fragments.ts';
import { BY_ID, COUNT_LIMIT, cutOf, type Batch, type Mechanism, type SweepContext } from './mechanism.ts';
import type { RemoveConversations } from './remove-conversations.ts';
import type { SweepPosition } from './sweep.model.ts';

export interface TelemetryRowsDependencies {
  database: Database;
  expireFragments: ExpireFragments;
  removeConversations: RemoveConversations;
}

const FRAGMENTS_AT_A_TIME = 500;
const CONVERSATIONS_AT_A_TIME = 250;

/**
 * Removes conversations that have received nothing within the retention time, then records: a conversation removed as a
 * whole leaves no words to be removed one by one.
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
      // Words that the raw payload mechanism has not reached yet are removed with their records, from all copies.
      await expireFragments.contentsOf(projectId, chosen, cut);
      fragments = (await heads.deleteMany({ _id: { $in: chosen }, projectId }, BY_ID)).deletedCount;
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
    first: { step: 'conversations' },
    async sweep(context, position) {
      return position.step === 'fragments'
        ? await sweepFragments(context, position)
        : await sweepConversations(context);
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
