import type { ConversationPoint, SeriesOfConversations } from '@clew/contracts';
import { quantileOf } from '../conversations/index.ts';
import type { HourFigures } from './hour-row.model.ts';
import { addFigures, ALL, noFigures, seriesOf } from './hour-share.ts';
import type { HourStore } from './hours.store.ts';

export interface SeriesQuery {
  startMs: number;
  endMs: number;
  intervalMs: number;
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
    const bySeries = new Map<string, Map<number, HourFigures>>(by === undefined ? [[ALL, new Map()]] : []);
    for await (const { series, hour, ...row } of hours.read(projectId, by ?? ALL, range)) {
      const startMs = range.startMs + Math.floor((hour - range.startMs) / range.intervalMs) * range.intervalMs;
      const intervals = bySeries.get(series) ?? new Map<number, HourFigures>();
      bySeries.set(series, intervals);
      const figures = intervals.get(startMs) ?? noFigures();
      intervals.set(startMs, figures);
      addFigures(figures, row);
    }
    return [...bySeries]
      .map(([series, intervals]) => ({
        value: by === undefined ? null : seriesOf(series).value,
        points: pointsOf(intervals),
      }))
      .filter(({ points }) => by === undefined || points.length > 0)
      .sort((left, right) => totalOf(right) - totalOf(left));
  };
}

function pointsOf(intervals: ReadonlyMap<number, HourFigures>): ConversationPoint[] {
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
