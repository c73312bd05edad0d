import { ERASED_PARTS, type Erasure } from '@clew/contracts';
import { derivedId, type Slice, type SliceRequest } from '@clew/kernel';
import {
  createScheduledTasks,
  createRunNotes,
  readSlice,
  type Claimed,
  type Database,
  type KeysetList,
  type ScheduledTasks,
  type RunNotes,
  type Transaction,
} from '@clew/persistence';
import { erasureCollection, FIRST_POSITION, type ErasureDocument, type ErasurePosition } from './erasure.model.ts';

export type ClaimedErasure = Claimed<ErasureDocument>;

export interface ErasureRequest extends Pick<ErasureDocument, 'projectId' | 'conversationId' | 'requestedBy'> {
  nowMs: number;
}

export interface ErasureStore {
  rows: ScheduledTasks<ErasureDocument>;
  notes: RunNotes<ErasureDocument, ErasurePosition>;
  /** Starts a run, or finds the one that is running; a run that has ended starts again. */
  request(tx: Transaction, request: ErasureRequest): Promise<{ erasureId: string; hasBegun: boolean }>;
  find(projectId: string, erasureId: string): Promise<ErasureDocument | undefined>;
  /** Lists erasures, the one that was requested last first. */
  list(projectId: string, status: Erasure['status'] | undefined, slice: SliceRequest): Promise<Slice<ErasureDocument>>;
  /** Stores related data to erase, before it can no longer be found; false if the claim has ended. */
  widen(erasure: ClaimedErasure, found: Pick<ErasureDocument, 'subjects' | 'taken'>): Promise<boolean>;
  end(erasure: ClaimedErasure, nowMs: number): Promise<void>;
}

export const ERASURES: KeysetList = {
  name: 'erasures',
  order: [
    ['requestedAt', -1],
    ['_id', -1],
  ],
};

/** Lease far longer than a batch takes. */
const LEASE_MS = 60_000;

export function createErasureStore(database: Database): ErasureStore {
  const erasures = erasureCollection(database);
  const rows = createScheduledTasks(erasures, { leaseMs: LEASE_MS, isInTurn: true });
  const notes = createRunNotes<ErasureDocument, ErasurePosition>(database, erasures, rows);

  return {
    rows,
    notes,
    async request(tx, { projectId, conversationId, requestedBy, nowMs }) {
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
        { upsert: true, session: tx },
      );
      if (started.upsertedCount === 1) return { erasureId: _id, hasBegun: true };
      const again = { $set: { position: FIRST_POSITION, ...asked } };
      const { modifiedCount } = await erasures.updateOne({ _id, position: null }, again, { session: tx });
      return { erasureId: _id, hasBegun: modifiedCount === 1 };
    },
    async find(projectId, erasureId) {
      return (await erasures.findOne({ _id: erasureId, projectId })) ?? undefined;
    },
    list(projectId, status, slice) {
      const completedAt = status === 'running' ? { completedAt: null } : { completedAt: { $gt: 0 } };
      const filter = { projectId, ...(status === undefined ? {} : completedAt) };
      return readSlice(erasures, ERASURES.order, { filter, ...slice }, (found: ErasureDocument) => found);
    },
    async widen({ _id, claim }, { subjects, taken }) {
      const { matchedCount } = await erasures.updateOne(
        { _id, claim },
        { $addToSet: { subjects: { $each: subjects }, taken: { $each: taken } } },
      );
      return matchedCount === 1;
    },
    end: (erasure, nowMs) => notes.end(erasure, { completedAt: nowMs, taken: [], subjects: [erasure.conversationId] }),
  };
}

function noCounts(): ErasureDocument['services'] {
  return Object.fromEntries(ERASED_PARTS.map((part) => [part, {}])) as ErasureDocument['services'];
}
