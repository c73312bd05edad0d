import type { SplitCondition } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import { readSlice, type Database, type KeysetList, type Transaction } from '@clew/persistence';
import { occurrenceModel, type OccurrenceDocument } from '../finding.model.ts';
import { occurrenceIdOf, type Occurrence } from '../occurrence.ts';

/** Occurrences by detection, latest first: new ones come before the start of a walk, never into it. */
export const OCCURRENCES: KeysetList = {
  name: 'finding occurrences',
  order: [
    ['firstDetectedAt', -1],
    ['_id', -1],
  ],
  invalidCursor: 'INVALID_FILTER',
};

export interface CountWindow {
  startMs: number;
  endMs: number;
  intervalMs: number;
}

export interface OccurrenceStore {
  list(projectId: string, findingIds: readonly string[], slice: SliceRequest): Promise<Slice<Occurrence>>;
  /**
   * Counts the conversations that show one of the Findings, each once, by the interval in which they started; intervals
   * begin at `startMs`.
   */
  count(
    projectId: string,
    findingIds: readonly string[],
    window: CountWindow,
  ): Promise<{ startMs: number; occurrences: number }[]>;
  /** Occurrences detected as this Finding that meet the condition, up to the limit. */
  matching(
    tx: Transaction,
    of: { projectId: string; findingId: string },
    condition: SplitCondition,
    limit: number,
  ): Promise<Occurrence[]>;
}

export function createOccurrenceStore({ connection }: Database): OccurrenceStore {
  const model = occurrenceModel(connection);
  return {
    list(projectId, findingIds, slice) {
      const filter = { projectId, findingId: anyOf(findingIds) };
      return readSlice(model, OCCURRENCES.order, { filter, ...slice }, fromDocument);
    },

    async matching(tx, { projectId, findingId }, { conversationIds = [], signal }, limit) {
      const ids = conversationIds.map((conversationId) => occurrenceIdOf(findingId, conversationId));
      const condition = signal === undefined ? { _id: { $in: ids } } : { 'detection.signals': signal };
      const documents = await model
        .find({ projectId, findingId, ...condition })
        .limit(limit)
        .session(tx)
        .lean();
      return documents.map(fromDocument);
    },

    async count(projectId, findingIds, { startMs, endMs, intervalMs }) {
      const sinceStart = { $subtract: ['$conversationStartedAt', startMs] };
      const eachOnce = { _id: '$conversationId', conversationStartedAt: { $min: '$conversationStartedAt' } };
      const inWindow = { $gte: startMs, $lt: endMs };
      const rows = await model.aggregate<{ _id: number; occurrences: number }>([
        { $match: { projectId, findingId: anyOf(findingIds), conversationStartedAt: inWindow } },
        ...(findingIds.length > 1 ? [{ $group: eachOnce }] : []),
        { $group: { _id: { $subtract: [sinceStart, { $mod: [sinceStart, intervalMs] }] }, occurrences: { $sum: 1 } } },
      ]);
      return rows
        .toSorted((one, other) => one._id - other._id)
        .map(({ _id, occurrences }) => ({ startMs: startMs + _id, occurrences }));
    },
  };
}

function anyOf(findingIds: readonly string[]): string | { $in: string[] } {
  const [first] = findingIds;
  return first !== undefined && findingIds.length === 1 ? first : { $in: [...findingIds] };
}

function fromDocument({ _id, ...rest }: OccurrenceDocument): Occurrence {
  return { id: _id, ...rest };
}
