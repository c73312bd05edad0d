import type { Clock } from '@clew/kernel';
import { addedUp } from '@clew/knowledge';
import { hasEnded, type Database, type Outbox, type Transaction } from '@clew/persistence';
import type { EndedExtraction, TakenExtraction } from '../extractions/index.ts';
import { afterExtractions, type KnowledgeBackfill, type Progress } from './backfill.ts';
import { reportEnd } from './backfill-events.ts';
import { backfillCollection, backfillOf } from './backfill.model.ts';

/** Page size of a backfill, and the limit on its pending conversations. */
export interface BackfillPages {
  /** Conversations per page; a page is one transaction. */
  pageSize: number;
  /** Pending conversations up to which the next page is queued. */
  maxPending: number;
}

const MAX_PAGE_SIZE = 500;

/** Sizes the pages so that at most two of them are pending per goal. The rest of a window is a cursor, not rows. */
export function pagesOf(maxExtractionsOfGoal: number, pageSize = MAX_PAGE_SIZE): BackfillPages {
  const size = Math.max(1, Math.min(pageSize, Math.floor(maxExtractionsOfGoal / 2)));
  return { pageSize: size, maxPending: Math.max(0, maxExtractionsOfGoal - size) };
}

/** Reports the progress of extractions to the backfills that wait for them. */
export interface BackfillProgress {
  /** Returns those of the given backfills that have not ended. */
  waiting(tx: Transaction, projectId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  taken(tx: Transaction, projectId: string, taken: readonly TakenExtraction[]): Promise<void>;
  ended(tx: Transaction, projectId: string, extractions: readonly EndedExtraction[]): Promise<void>;
}

export interface BackfillProgressOptions extends Pick<BackfillPages, 'maxPending'> {
  database: Database;
  outbox: Outbox;
  clock: Clock;
}

export function createBackfillProgress(options: BackfillProgressOptions): BackfillProgress {
  const { database, outbox, clock, maxPending } = options;
  const backfills = backfillCollection(database);

  async function find(tx: Transaction, projectId: string, ids: readonly string[]): Promise<KnowledgeBackfill[]> {
    if (ids.length === 0) return [];
    const found = await backfills.find({ _id: { $in: [...new Set(ids)] }, projectId }, { session: tx }).toArray();
    return found.map(backfillOf);
  }

  async function taken(tx: Transaction, projectId: string, all: readonly TakenExtraction[]): Promise<void> {
    const nowMs = clock.now();
    const ids = all.flatMap(({ extraction }) => extraction.backfillIds);
    for (const before of await find(tx, projectId, ids)) {
      const own = all.filter(({ extraction }) => extraction.backfillIds.includes(before.id));
      const after = afterExtractions(before, sumOf(own), nowMs);
      if (after === before) continue;
      const { id: _id, state, endedAt, conversationsPending, conversationsFailed } = after;
      const { itemsCreated, itemsMerged, rejectedQuotes, rejected } = after;
      const counts = { conversationsPending, conversationsFailed, itemsCreated, itemsMerged, rejectedQuotes, rejected };
      const hasRoom = state === 'running' && !after.isPaged && conversationsPending <= maxPending;
      const next = hasRoom ? { dueAt: nowMs } : {};
      await backfills.updateOne({ _id, projectId }, { $set: { state, endedAt, ...counts, ...next } }, { session: tx });
      await reportEnd(tx, outbox, after.id, after);
    }
  }

  return {
    async waiting(tx, projectId, ids) {
      return new Set((await find(tx, projectId, ids)).filter((one) => !hasEnded(one)).map(({ id }) => id));
    },
    taken,
    ended: (tx, projectId, extractions) =>
      taken(
        tx,
        projectId,
        extractions.map((one) => ({ ...one, hasEnded: true, itemsCreated: 0, itemsMerged: 0, rejected: {} })),
      ),
  };
}

function sumOf(taken: readonly TakenExtraction[]): Progress {
  const sum: Progress = { ended: 0, failed: 0, itemsCreated: 0, itemsMerged: 0, rejected: {} };
  for (const { hasEnded: isOver, isFailed, itemsCreated, itemsMerged, rejected } of taken) {
    sum.ended += Number(isOver);
    sum.failed += Number(isFailed);
    sum.itemsCreated += itemsCreated;
    sum.itemsMerged += itemsMerged;
    sum.rejected = addedUp(sum.rejected, rejected);
  }
  return sum;
}
