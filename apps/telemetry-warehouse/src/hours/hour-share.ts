import type { SeriesOfConversations } from '@clew/contracts';
import type { ConversationDocument, HourShare } from '../conversations/index.ts';
import type { HourFigures, HourRow } from './hour-row.model.ts';

export const HOUR_MS = 3_600_000;
/** Series of all conversations. */
export const ALL = 'all';
/** Agents, or models, of one conversation that it counts in. */
const MAX_SERIES_OF_CONVERSATION = 5;

/** Fields of a conversation that its share is made of. */
export type Shared = Pick<
  ConversationDocument,
  | '_id'
  | 'projectId'
  | 'listed'
  | 'startedAt'
  | 'hasFinding'
  | 'hasError'
  | 'usage'
  | 'latency'
  | 'agents'
  | 'models'
  | 'assembledTouches'
  | 'counted'
>;

/** Key of a series: its kind, and its value; without a value it is that of everything that is not told apart. */
export function seriesKey(by: SeriesOfConversations, value: string | undefined): string {
  return value === undefined ? by : `${by}:${value}`;
}

/** Kind and value of a series. */
export function seriesOf(key: string): { by: string; value: string | null } {
  const end = key.indexOf(':');
  return end === -1 ? { by: key, value: null } : { by: key.slice(0, end), value: key.slice(end + 1) };
}

/** Whether the series of a value has rows of its own. */
export type IsTold = (by: SeriesOfConversations, value: string) => boolean;

/** Values of a conversation by which series are told apart. */
export function valuesOf({ agents, models }: Pick<Shared, 'agents' | 'models'>) {
  return {
    agent: agents.slice(0, MAX_SERIES_OF_CONVERSATION),
    model: models.slice(0, MAX_SERIES_OF_CONVERSATION),
  } satisfies Record<SeriesOfConversations, string[]>;
}

/** Share of a conversation in the figures of its hour; undefined before its first assembly, and if no list has it. */
export function shareOf(conversation: Shared, isTold: IsTold): HourShare | undefined {
  const { listed, assembledTouches, startedAt, hasFinding, hasError, usage, latency } = conversation;
  if (!listed || assembledTouches === 0) return undefined;
  const values = valuesOf(conversation);
  const series = (['agent', 'model'] as const).flatMap((by) =>
    values[by].map((value) => seriesKey(by, isTold(by, value) ? value : undefined)),
  );
  return {
    hour: Math.floor(startedAt / HOUR_MS) * HOUR_MS,
    ...{ flagged: hasFinding, failed: hasError, latency, series: [...new Set(series)] },
    ...{ inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
  };
}

/** Changes of hourly figures, by hour and series. */
export class HourChanges {
  readonly #changes = new Map<string, { hour: number; series: string; figures: HourFigures }>();

  /** Replaces the share of a conversation by another. */
  replace(before: HourShare | undefined, after: HourShare | undefined): void {
    if (before !== undefined) this.#add(before, -1);
    if (after !== undefined) this.#add(after, 1);
  }

  /** Changes that are left: what was taken away and added again is none. */
  list(): { hour: number; series: string; figures: HourFigures }[] {
    return [...this.#changes.values()].filter(({ figures: { latency, ...numbers } }) =>
      [...Object.values(numbers), ...Object.values(latency)].some((number) => number !== 0),
    );
  }

  #add(share: HourShare, sign: 1 | -1): void {
    for (const series of [ALL, ...share.series]) {
      const key = `${share.hour}:${series}`;
      const change = this.#changes.get(key) ?? { hour: share.hour, series, figures: noFigures() };
      this.#changes.set(key, change);
      addShare(change.figures, share, sign);
    }
  }
}

export function noFigures(): HourFigures {
  return { conversations: 0, flagged: 0, failed: 0, inputTokens: 0, outputTokens: 0, latency: {} };
}

function addShare(figures: HourFigures, share: HourShare, sign: 1 | -1): void {
  addFigures(
    figures,
    {
      conversations: 1,
      ...{ flagged: Number(share.flagged), failed: Number(share.failed), latency: share.latency },
      ...{ inputTokens: share.inputTokens, outputTokens: share.outputTokens },
    },
    sign,
  );
}

/** Adds figures to others, in place. */
export function addFigures(figures: HourFigures, added: Pick<HourRow, keyof HourFigures>, sign: 1 | -1 = 1): void {
  figures.conversations += sign * added.conversations;
  figures.flagged += sign * added.flagged;
  figures.failed += sign * added.failed;
  figures.inputTokens += sign * added.inputTokens;
  figures.outputTokens += sign * added.outputTokens;
  for (const [bucket, count] of Object.entries(added.latency ?? {})) {
    figures.latency[bucket] = (figures.latency[bucket] ?? 0) + sign * count;
  }
}
