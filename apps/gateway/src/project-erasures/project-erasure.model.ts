import type { mongo } from 'mongoose';
import { PROJECT_PARTS, type ProjectErasure, type ProjectPartName } from '@clew/contracts';
import { ensureScheduleIndexes, nativeDb, type Database, type ScheduleFields } from '@clew/persistence';

type Counts = Record<string, number>;

/** Position of a run: the part that is next. */
export interface ErasurePosition {
  /** Every part is erased twice: work in progress when the project was closed has ended by the second round. */
  round: 1 | 2;
  part: ProjectPartName;
}

/** Deletion of a project: a scheduled task while it runs, then its receipt. */
export interface ProjectErasureDocument extends ScheduleFields {
  /** Id derived from the project's. */
  _id: string;
  projectId: string;
  workspaceId: string;
  requestedAt: number;
  requestedBy: ProjectErasure['requestedBy'];
  completedAt: number | null;
  /** Null when the run has ended. */
  position: ErasurePosition | null;
  services: Record<ProjectPartName, Counts>;
}

export const FIRST_POSITION: ErasurePosition = { round: 1, part: PROJECT_PARTS[0] };

export function projectErasureCollection({
  connection,
}: Pick<Database, 'connection'>): mongo.Collection<ProjectErasureDocument> {
  return nativeDb(connection).collection('project_erasures');
}

export async function ensureProjectErasureIndexes(database: Pick<Database, 'connection'>): Promise<void> {
  await ensureScheduleIndexes(projectErasureCollection(database));
}

/** Position after a part is done; undefined at the end of the second round. */
export function after({ round, part }: ErasurePosition): ErasurePosition | undefined {
  const next = PROJECT_PARTS[PROJECT_PARTS.indexOf(part) + 1];
  if (next !== undefined) return { round, part: next };
  return round === 1 ? { ...FIRST_POSITION, round: 2 } : undefined;
}
