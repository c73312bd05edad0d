import type { Database } from '@clew/persistence';
import { contentCollection } from '../fragments/index.ts';
import { snapshotCollection } from '../snapshots/index.ts';
import type { ExpireFragments } from './expire-fragments.ts';
import type { ExpireWords } from './expire-words.ts';
import { createCommentSweep } from './comments.ts';
import { COUNT_LIMIT, cutOf, type Batch, type Mechanism, type SweepContext } from './mechanism.ts';
import type { SweepPosition } from './sweep.model.ts';

export interface RawPayloadsDependencies {
  database: Database;
  expireWords: ExpireWords;
  expireFragments: ExpireFragments;
}

const FRAGMENTS_AT_A_TIME = 500;
const SNAPSHOTS_AT_A_TIME = 200;

/**
 * Removes the words of prompts, answers and payloads, and keeps all other data. Snapshots that are old as a whole come
 * first, so that few are left to be searched for single messages.
 */
export function createRawPayloads(dependencies: RawPayloadsDependencies): Mechanism {
  const { database, expireWords, expireFragments } = dependencies;
  const contents = contentCollection(database);
  const snapshots = snapshotCollection(database.connection);
  const sweepComments = createCommentSweep(dependencies);
  const cutFor = ({ nowMs, settings }: SweepContext) => cutOf(nowMs, settings.rawPayloadRetentionDays);
  const oldSnapshots = (context: SweepContext) => ({
    ...{ projectId: context.projectId, expiredAt: null as never },
    createdAt: { $lt: cutFor(context) },
  });

  async function sweepSnapshots(context: SweepContext): Promise<Batch> {
    const old = await snapshots
      .find(oldSnapshots(context), {
        projection: { _id: 1 },
        sort: { createdAt: 1 },
        limit: SNAPSHOTS_AT_A_TIME,
      })
      .toArray();
    if (old.length === 0) return { removed: {}, next: { step: 'comments' } };
    const ids = old.map(({ _id }) => _id);
    const changed = await expireWords.ofSnapshots(context.projectId, ids, {
      isExpired: () => true,
      scoresBefore: cutFor(context).getTime(),
    });
    return { removed: { snapshots: changed }, next: { step: 'snapshots' } };
  }

  async function sweepPayloads(context: SweepContext, { chosen }: SweepPosition): Promise<Batch> {
    const { projectId } = context;
    const cut = cutFor(context);
    const removed = chosen === undefined ? {} : await expireFragments.contentsOf(projectId, chosen, cut);
    const next = await contents
      .find(
        { projectId, receivedAt: { $lt: cut } },
        { projection: { _id: 1 }, sort: { receivedAt: 1 }, limit: FRAGMENTS_AT_A_TIME },
      )
      .toArray();
    const isOver = next.length === 0;
    return { removed, next: isOver ? undefined : { step: 'payloads', chosen: next.map(({ _id }) => _id) } };
  }

  return {
    first: { step: 'snapshots' },
    async sweep(context, position) {
      if (position.step === 'snapshots') return await sweepSnapshots(context);
      return position.step === 'comments'
        ? await sweepComments(context, position)
        : await sweepPayloads(context, position);
    },
    async waiting(context) {
      const cut = cutFor(context);
      const expired = { projectId: context.projectId, receivedAt: { $lt: cut } };
      const [payloads, old, first] = await Promise.all([
        contents.countDocuments(expired, { limit: COUNT_LIMIT }),
        snapshots.countDocuments(oldSnapshots(context), { limit: COUNT_LIMIT }),
        contents.findOne(expired, { sort: { receivedAt: 1 }, projection: { receivedAt: 1 } }),
      ]);
      return { count: Math.min(COUNT_LIMIT, payloads + old), oldestAt: first?.receivedAt.getTime() ?? null };
    },
  };
}
