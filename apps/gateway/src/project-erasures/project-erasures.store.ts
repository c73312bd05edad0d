import { PROJECT_PARTS, type ProjectPartName } from '@clew/contracts';
import { derivedId } from '@clew/kernel';
import { createDueRows, type Claimed, type Database, type DueRows, type Transaction } from '@clew/persistence';
import {
  FIRST_POSITION,
  projectErasureCollection,
  type Counts,
  type ErasurePosition,
  type ProjectErasureDocument,
} from './project-erasure.model.ts';

export type ClaimedErasure = Claimed<ProjectErasureDocument>;

export interface NewErasure extends Pick<ProjectErasureDocument, 'projectId' | 'workspaceId' | 'requestedBy'> {
  nowMs: number;
}

export interface ProjectErasureStore {
  rows: DueRows<ProjectErasureDocument>;
  insert(tx: Transaction, erasure: NewErasure): Promise<string>;
  find(workspaceId: string, erasureId: string): Promise<ProjectErasureDocument | undefined>;
  /** Notes what a batch has removed, and where the run goes on; false where another process has taken it over. */
  note(erasure: ClaimedErasure, part: ProjectPartName, removed: Counts, position: ErasurePosition): Promise<boolean>;
  /** Ends a turn: the run goes on then. */
  goOnAt(erasure: ClaimedErasure, dueAt: number): Promise<void>;
  end(erasure: ClaimedErasure, nowMs: number): Promise<void>;
}

/** Far longer than a batch takes. */
const LEASE_MS = 60_000;

export function projectErasureId(projectId: string): string {
  return derivedId('pers', projectId);
}

export function createProjectErasureStore(database: Database): ProjectErasureStore {
  const erasures = projectErasureCollection(database);
  const rows = createDueRows(erasures, { leaseMs: LEASE_MS });
  return {
    rows,
    async insert(tx, { projectId, workspaceId, requestedBy, nowMs }) {
      const _id = projectErasureId(projectId);
      const services = Object.fromEntries(
        PROJECT_PARTS.map((part) => [part, {}]),
      ) as ProjectErasureDocument['services'];
      const asked = { requestedAt: nowMs, requestedBy, completedAt: null, dueAt: nowMs };
      await erasures.updateOne(
        { _id },
        { $setOnInsert: { projectId, workspaceId, position: FIRST_POSITION, services, ...asked } },
        { upsert: true, session: tx },
      );
      return _id;
    },
    async find(workspaceId, erasureId) {
      return (await erasures.findOne({ _id: erasureId, workspaceId })) ?? undefined;
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
        await erasures.updateOne({ _id, claim }, { $set: { position: null, completedAt: nowMs } }, { session: tx });
        await rows.settle(tx, [erasure]);
      });
    },
  };
}
