import { ERASED_PARTS, type Erasure, type ErasedPartName } from '@clew/contracts';
import { nativeDb, type Database, type DueFields } from '@clew/persistence';
import type { mongo } from 'mongoose';
import type { CallTaken } from '../conversations/index.ts';

/** How much went, by kind. */
export type Counts = Record<string, number>;

/** Where a run stands: the part and the conversation that are next. */
export interface ErasurePosition {
  /** Everything is gone through twice: what was under way when the tombstones were set has ended by the second time. */
  round: 1 | 2;
  part: ErasedPartName;
  /** Index into `subjects`. */
  subject: number;
}

/** The erasure of a conversation, due while it runs; then it is the receipt. */
export interface ErasureDocument extends DueFields {
  /** Derived from project and conversation. */
  _id: string;
  projectId: string;
  conversationId: string;
  /** The conversation, and those all of whose calls it had taken: they say the same. */
  subjects: string[];
  /** Calls that it had taken from others, while the run has to find them. */
  taken: CallTaken[];
  requestedAt: number;
  requestedBy: Erasure['requestedBy'];
  completedAt: number | null;
  /** Null once it has ended. */
  position: ErasurePosition | null;
  services: Record<ErasedPartName, Counts>;
}

export const FIRST_POSITION: ErasurePosition = { round: 1, part: ERASED_PARTS[0], subject: 0 };

export function erasureCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<ErasureDocument> {
  return nativeDb(connection).collection('erasures');
}

/** Where erased records stood in their trace, without anything that they said: what comes below them later is refused. */
export interface ErasedRecordsDocument {
  _id: string;
  projectId: string;
  traceId: string;
  /** Of spans. */
  places: { spanId: string; parentSpanId?: string; start: string }[];
}

export function erasedRecordsCollection({
  connection,
}: Pick<Database, 'connection'>): mongo.Collection<ErasedRecordsDocument> {
  return nativeDb(connection).collection('erased_records');
}

export async function ensureErasureIndexes(database: Pick<Database, 'connection'>): Promise<void> {
  await erasedRecordsCollection(database).createIndex({ projectId: 1, traceId: 1 }, { name: 'trace' });
}
