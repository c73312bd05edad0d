import type { mongo } from 'mongoose';
import { PROJECT_PARTS, type ProjectErasure, type ProjectPartName } from '@clew/contracts';
import { ensureDueIndexes, nativeDb, type Database, type DueFields } from '@clew/persistence';

type Counts = Record<string, number>;

/** Where a run stands: the part that is next. */
export interface ErasurePosition {
  /** Everything is gone through twice: what was under way when the project was closed has ended by the second time. */
  round: 1 | 2;
  part: ProjectPartName;
}

/** The deletion of a project, due while it runs; then it is the receipt. */
export interface ProjectErasureDocument extends DueFields {
  /** Derived from the project. */
  _id: string;
  projectId: string;
  workspaceId: string;
  requestedAt: number;
  requestedBy: ProjectErasure['requestedBy'];
  completedAt: number | null;
  /** Null once it has ended. */
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
  await ensureDueIndexes(projectErasureCollection(database));
}

/** What comes after a part is done; undefined where that was the end. */
export function after({ round, part }: ErasurePosition): ErasurePosition | undefined {
  const next = PROJECT_PARTS[PROJECT_PARTS.indexOf(part) + 1];
  if (next !== undefined) return { round, part: next };
  return round === 1 ? { ...FIRST_POSITION, round: 2 } : undefined;
}
