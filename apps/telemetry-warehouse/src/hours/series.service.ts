import type { ConversationPoint, SeriesOfConversations } from '@clew/contracts';
import { quantileOf } from '../conversations/index.ts';
import { sumsIn } from './day-figures.ts';
import type { FigureSums } from './figure-sums.ts';
import { ALL, seriesOf } from './hour-share.ts';
import type { HourStore, SeriesRange } from './hours.store.ts';

export interface SeriesQuery extends SeriesRange {
  by?: SeriesOfConversations | undefined;
}

export interface Series {
  value: string | null;
  points: ConversationPoint[];
}

export type SeriesService = ReturnType<typeof createSeriesService>;

/** Sums hourly figures up to intervals. */
export function createSeriesService(hours: Pick<HourStore, 'read'>) {
  return async (projectId: string, { by, ...range }: SeriesQuery): Promise<Series[]> => {
    const bySeries = new Map<string, Map<number, FigureSums>>(by === undefined ? [[ALL, new Map()]] : []);
    await hours.read(projectId, by ?? ALL, range, (series, startMs) => {
      const intervals = bySeries.get(series) ?? new Map<number, FigureSums>();
      bySeries.set(series, intervals);
      return sumsIn(intervals, startMs);
    });
    return [...bySeries]
      .map(([series, intervals]) => ({
        value: by === undefined ? null : seriesOf(series).value,
        points: pointsOf(intervals),
      }))
      .filter(({ points }) => by === undefined || points.length > 0)
      .sort((left, right) => totalOf(right) - totalOf(left));
  };
}

function pointsOf(intervals: ReadonlyMap<number, FigureSums>): ConversationPoint[] {
  return [...intervals]
    .filter(([, { conversations }]) => conversations > 0)
    .sort(([left], [right]) => left - right)
    .map(([startMs, { conversations, flagged, failed: errors, inputTokens, outputTokens, latency }]) => ({
      ...{ startMs, conversations, flagged, errors, inputTokens, outputTokens },
      latencyP50Ms: quantileOf(latency, 0.5),
      latencyP95Ms: quantileOf(latency, 0.95),
    }));
}

function totalOf({ points }: Series): number {
  return points.reduce((sum, { conversations }) => sum + conversations, 0);
}
