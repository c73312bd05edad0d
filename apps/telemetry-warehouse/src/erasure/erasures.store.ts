import { ERASED_PARTS, type ErasedPartName } from '@clew/contracts';
import { derivedId } from '@clew/kernel';
import { createDueRows, type Claimed, type Database, type DueRows } from '@clew/persistence';
import {
  erasureCollection,
  FIRST_POSITION,
  type Counts,
  type ErasureDocument,
  type ErasurePosition,
} from './erasure.model.ts';

export type ClaimedErasure = Claimed<ErasureDocument>;

export interface ErasureRequest extends Pick<ErasureDocument, 'projectId' | 'conversationId' | 'requestedBy'> {
  nowMs: number;
}

export interface ErasureStore {
  rows: DueRows<ErasureDocument>;
  /** Begins a run, or says which one there is; one that has ended begins again. */
  request(request: ErasureRequest): Promise<string>;
  find(projectId: string, erasureId: string): Promise<ErasureDocument | undefined>;
  /** Notes what else is to be erased, before it cannot be found any more. */
  widen(erasure: ClaimedErasure, found: Pick<ErasureDocument, 'subjects' | 'taken'>): Promise<boolean>;
  /** Notes what a batch has removed, and where the run goes on; false where another process has taken it over. */
  note(erasure: ClaimedErasure, part: ErasedPartName, removed: Counts, position: ErasurePosition): Promise<boolean>;
  /** Ends a turn: the run goes on then. */
  goOnAt(erasure: ClaimedErasure, dueAt: number): Promise<void>;
  end(erasure: ClaimedErasure, nowMs: number): Promise<void>;
}

/** Far longer than a batch takes. */
const LEASE_MS = 60_000;

export function createErasureStore(database: Database): ErasureStore {
  const erasures = erasureCollection(database);
  const rows = createDueRows(erasures, { leaseMs: LEASE_MS });

  return {
    rows,
    async request({ projectId, conversationId, requestedBy, nowMs }) {
      const _id = derivedId('ers', projectId, conversationId);
      const asked = { requestedAt: nowMs, requestedBy, completedAt: null, dueAt: nowMs };
      const started = await erasures.updateOne(
        { _id },
        {
          $setOnInsert: {
            ...{ projectId, conversationId, subjects: [conversationId], taken: [], position: FIRST_POSITION },
            ...{ services: noCounts(), ...asked },
          },
        },
        { upsert: true },
      );
      if (started.upsertedCount === 0) {
        await erasures.updateOne({ _id, position: null }, { $set: { position: FIRST_POSITION, ...asked } });
      }
      return _id;
    },
    async find(projectId, erasureId) {
      return (await erasures.findOne({ _id: erasureId, projectId })) ?? undefined;
    },
    async widen({ _id, claim }, { subjects, taken }) {
      const { matchedCount } = await erasures.updateOne(
        { _id, claim },
        { $addToSet: { subjects: { $each: subjects }, taken: { $each: taken } } },
      );
      return matchedCount === 1;
    },
    async note({ _id, claim }, part, removed, position) {
      const counts = Object.entries(removed).filter(([, count]) => count > 0);
      const added = Object.fromEntries(counts.map(([kind, count]) => [`services.${part}.${kind}`, count]));
      const { matchedCount } = await erasures.updateOne(
        { _id, claim },
        { $set: { position }, ...(counts.length === 0 ? {} : { $inc: added }) },
      );
      return matchedCount === 1;
    },
    async goOnAt(erasure, dueAt) {
      await database.withTransaction((tx) => rows.settle(tx, [erasure], { dueAt }));
    },
    async end(erasure, nowMs) {
      const { _id, claim } = erasure;
      await database.withTransaction(async (tx) => {
        const ended = { position: null, completedAt: nowMs, taken: [], subjects: [erasure.conversationId] };
        await erasures.updateOne({ _id, claim }, { $set: ended }, { session: tx });
        await rows.settle(tx, [erasure]);
      });
    },
  };
}

function noCounts(): ErasureDocument['services'] {
  return Object.fromEntries(ERASED_PARTS.map((part) => [part, {}])) as ErasureDocument['services'];
}
