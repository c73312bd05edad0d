import { setTimeout as sleep } from 'node:timers/promises';
import type { IngestUsage } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import { isDuplicateKey, nativeDb, type Database } from '@clew/persistence';
import type { Connection, mongo } from 'mongoose';
import { NOTHING_INGESTED, type IngestDay } from './ingest-day.ts';

interface IngestDayDocument extends IngestDay {
  /** `<project>:<day>` */
  _id: string;
  projectId: string;
  day: string;
  /** Number that grows with every report. */
  revision: number;
  /** Size of the project's data, as last measured on that day. */
  storedBytes?: number;
}

export interface IngestSumQuery {
  projectIds: readonly string[];
  fromDay: string;
  toDay: string;
  by: 'day' | 'project';
}

export interface IngestDayStore {
  /** Applies a change to a day, again if another process changed it meanwhile. */
  update<Result>(
    projectId: string,
    day: string,
    change: (held: IngestDay) => { day: IngestDay; result: Result },
  ): Promise<Result>;
  /** Notes what the project stores on that day. */
  noteStored(projectId: string, day: string, bytes: number): Promise<void>;
  sum(query: IngestSumQuery): Promise<IngestUsage[]>;
}

const MAX_ATTEMPTS = 50;
const MAX_PAUSE_MS = 20;
const MAX_SUM_MS = 15_000;

export function createIngestDayStore({ connection }: Pick<Database, 'connection'>): IngestDayStore {
  const days = ingestDayCollection(connection);

  async function wrote(place: Pick<IngestDayDocument, '_id' | 'projectId' | 'day'>, revision: number, day: IngestDay) {
    const { bytes, records, replicas } = day;
    const set = { bytes, records, replicas, revision: revision + 1, projectId: place.projectId, day: place.day };
    try {
      const { matchedCount, upsertedCount } = await days.updateOne(
        { _id: place._id, revision },
        { $set: set },
        { upsert: revision === 0 },
      );
      return matchedCount + upsertedCount === 1;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    async update(projectId, day, change) {
      const _id = `${projectId}:${day}`;
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const held = await days.findOne({ _id });
        const changed = change(held ?? NOTHING_INGESTED);
        if (await wrote({ _id, projectId, day }, held?.revision ?? 0, changed.day)) return changed.result;
        await sleep(Math.random() * MAX_PAUSE_MS);
      }
      throw new AppError('CONFLICT', 'The counts of the day are being changed by others');
    },
    async noteStored(projectId, day, storedBytes) {
      await days.updateOne(
        { _id: `${projectId}:${day}` },
        { $set: { storedBytes }, $setOnInsert: { ...NOTHING_INGESTED, projectId, day, revision: 1 } },
        { upsert: true },
      );
    },
    async sum({ projectIds, fromDay, toDay, by }) {
      const field = by === 'day' ? '$day' : '$projectId';
      const isMeasured = { $gt: ['$storedBytes', null] };
      const found = await days
        .aggregate<{ _id: string; bytes: number; records: number; stored: number; measured: number; last: LastStored }>(
          [
            { $match: { projectId: { $in: [...projectIds] }, day: { $gte: fromDay, $lte: toDay } } },
            {
              $group: {
                _id: field,
                bytes: { $sum: '$bytes' },
                records: { $sum: '$records' },
                stored: { $sum: '$storedBytes' },
                measured: { $sum: { $cond: [isMeasured, 1, 0] } },
                last: { $max: { $cond: [isMeasured, { day: '$day', bytes: '$storedBytes' }, null] } },
              },
            },
          ],
          { maxTimeMS: MAX_SUM_MS },
        )
        .toArray();
      return found.map(({ _id: group, bytes, records, stored, measured, last }) => ({
        ...{ group, ingestedBytes: bytes, ingestedRecords: records },
        storedBytes: by === 'project' ? (last?.bytes ?? null) : measured === 0 ? null : stored,
      }));
    },
  };
}

type LastStored = { day: string; bytes: number } | null;

export async function ensureIngestDayIndex(connection: Connection): Promise<void> {
  await ingestDayCollection(connection).createIndex({ projectId: 1, day: 1 }, { name: 'days' });
}

function ingestDayCollection(connection: Connection): mongo.Collection<IngestDayDocument> {
  return nativeDb(connection).collection<IngestDayDocument>('ingest_days');
}
