import { PROJECT_PARTS } from '@clew/contracts';
import { derivedId } from '@clew/kernel';
import {
  createScheduledTasks,
  createRunNotes,
  type Claimed,
  type Database,
  type ScheduledTasks,
  type RunNotes,
  type Transaction,
} from '@clew/persistence';
import {
  FIRST_POSITION,
  projectErasureCollection,
  type ErasurePosition,
  type ProjectErasureDocument,
} from './project-erasure.model.ts';

export type ClaimedErasure = Claimed<ProjectErasureDocument>;

export interface NewErasure extends Pick<ProjectErasureDocument, 'projectId' | 'workspaceId' | 'requestedBy'> {
  nowMs: number;
}

export interface ProjectErasureStore {
  rows: ScheduledTasks<ProjectErasureDocument>;
  notes: RunNotes<ProjectErasureDocument, ErasurePosition>;
  insert(tx: Transaction, erasure: NewErasure): Promise<string>;
  find(workspaceId: string, erasureId: string): Promise<ProjectErasureDocument | undefined>;
  /** Workspace of a deleted project; undefined if no such project was deleted. */
  workspaceOf(projectId: string): Promise<string | undefined>;
  end(erasure: ClaimedErasure, nowMs: number): Promise<void>;
}

/** Lease far longer than a batch takes. */
const LEASE_MS = 60_000;

export function projectErasureId(projectId: string): string {
  return derivedId('pers', projectId);
}

export function createProjectErasureStore(database: Database): ProjectErasureStore {
  const erasures = projectErasureCollection(database);
  const rows = createScheduledTasks(erasures, { leaseMs: LEASE_MS });
  const notes = createRunNotes<ProjectErasureDocument, ErasurePosition>(database, erasures, rows);
  return {
    rows,
    notes,
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
    async workspaceOf(projectId) {
      return (await erasures.findOne({ _id: projectErasureId(projectId) }))?.workspaceId;
    },
    end: (erasure, nowMs) => notes.end(erasure, { completedAt: nowMs }),
  };
}
