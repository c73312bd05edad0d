import { ERASED_PARTS, type Erasure, type ErasedPartName } from '@clew/contracts';
import { nativeDb, type Database, type ScheduleFields } from '@clew/persistence';
import type { mongo } from 'mongoose';
import type { CallTaken } from '../conversations/index.ts';

/** Number of removed items, by kind. */
export type Counts = Record<string, number>;

/** Position of a run: the part and the conversation that are next. */
export interface ErasurePosition {
  /** Everything is erased twice: work in progress when the tombstones were set has ended by the second round. */
  round: 1 | 2;
  part: ErasedPartName;
  /** Index into `subjects`. */
  subject: number;
}

/** Erasure of a conversation: a scheduled task while it runs, then its receipt. */
export interface ErasureDocument extends ScheduleFields {
  /** Id derived from project and conversation. */
  _id: string;
  projectId: string;
  conversationId: string;
  /** Conversation to erase, and those whose calls it had all taken: they have the same content. */
  subjects: string[];
  /** Calls that it had taken from other conversations; kept for as long as the run has to find them. */
  taken: CallTaken[];
  requestedAt: number;
  requestedBy: Erasure['requestedBy'];
  completedAt: number | null;
  /** Null when the run has ended. */
  position: ErasurePosition | null;
  services: Record<ErasedPartName, Counts>;
}

export const FIRST_POSITION: ErasurePosition = { round: 1, part: ERASED_PARTS[0], subject: 0 };

/** Whether a run goes on. */
export function statusOf({ completedAt }: Pick<ErasureDocument, 'completedAt'>): Erasure['status'] {
  return completedAt === null ? 'running' : 'completed';
}

export function erasureCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<ErasureDocument> {
  return nativeDb(connection).collection('erasures');
}

/** Places of erased records in their trace, without their content: records that arrive later below them are refused. */
export interface ErasedRecordsDocument {
  _id: string;
  projectId: string;
  traceId: string;
  /** Places of spans. */
  places: { spanId: string; parentSpanId?: string; start: string }[];
}

export function erasedRecordsCollection({
  connection,
}: Pick<Database, 'connection'>): mongo.Collection<ErasedRecordsDocument> {
  return nativeDb(connection).collection('erased_records');
}

export async function ensureErasureIndexes(database: Pick<Database, 'connection'>): Promise<void> {
  await erasedRecordsCollection(database).createIndex({ projectId: 1, traceId: 1 }, { name: 'trace' });
  const latestFirst = { projectId: 1, requestedAt: -1, _id: -1 } as const;
  const erasures = erasureCollection(database);
  await erasures.createIndex({ ...latestFirst, completedAt: 1 }, { name: 'latest' });
  await erasures.createIndex(latestFirst, { name: 'latest_running', partialFilterExpression: { completedAt: null } });
}
