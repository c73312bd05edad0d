import type { Api } from '@clew/sdk';
import { filled, type SeriesWindow } from '../text/series.ts';

/** Points of all conversations of a window, also where there were none. */
export function filledPoints(
  window: SeriesWindow,
  data: Api.ReadConversationSeriesResponse | undefined,
): Api.ConversationPoint[] {
  const points = data?.series.find(({ value }) => value === null)?.points ?? [];
  return filled(window, points, (startMs) => ({
    ...{ startMs, conversations: 0, flagged: 0, errors: 0, inputTokens: 0, outputTokens: 0 },
    ...{ latencyP50Ms: null, latencyP95Ms: null },
  }));
}
