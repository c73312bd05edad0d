import type { ConversationCountQuery, ConversationListQuery } from '../api/queries.ts';

/** Filters of conversations that are texts. */
const TEXTS = ['q', 'agent', 'model', 'userId', 'tool'] as const;
/** Filters that are yes or no. */
const SWITCHES = ['flagged', 'failed'] as const;
/** Spans of time, in days up to now. */
export const SPANS = { day: 1, week: 7, month: 30 } as const;
export type Span = keyof typeof SPANS;

const MAX_TEXT = 256;
const MAX_ID = 512;
const HOUR_MS = 3_600_000;

/** State of the list of conversations, all of which is in the address. */
export type ConversationsSearch = Readonly<
  Partial<Record<(typeof TEXTS)[number], string> & Record<(typeof SWITCHES)[number], 'yes' | 'no'>>
> & {
  readonly state?: 'active' | 'ready';
  readonly span?: Span;
  /** Window that was chosen in the chart; it takes the place of the span. */
  readonly from?: number;
  readonly to?: number;
};

/** State of the page: that of the list, and the conversation beside it. */
export type ConversationsPageSearch = ConversationsSearch & { readonly peek?: string };

export type ConversationFilter = keyof ConversationsSearch;

/** Reads the state from an address; whatever the API would refuse is left out. */
export function parseConversationsSearch(given: Readonly<Record<string, unknown>>): ConversationsSearch {
  const { state, span } = given;
  const texts = TEXTS.map((name) => [name, textOf(given[name])]);
  const switches = SWITCHES.map((name) => [
    name,
    given[name] === 'yes' || given[name] === 'no' ? given[name] : undefined,
  ]);
  const from = timeOf(given['from']);
  const to = timeOf(given['to']);
  const isWindow = from !== undefined && to !== undefined && from < to;
  const search = [
    ...texts,
    ...switches,
    ['state', state === 'active' || state === 'ready' ? state : undefined],
    ['span', typeof span === 'string' && Object.hasOwn(SPANS, span) ? span : undefined],
    ['from', isWindow ? from : undefined],
    ['to', isWindow ? to : undefined],
  ] as const;
  return Object.fromEntries(search.filter(([, value]) => value !== undefined)) as ConversationsSearch;
}

/** Search of the page of a conversation that a list has found: it shows the words that the list was searched for. */
export function searchOfFound({ q }: ConversationsSearch): { find?: string } {
  return q === undefined ? {} : { find: q };
}

/** Reads the state of the page from an address. */
export function parseConversationsPageSearch(given: Readonly<Record<string, unknown>>): ConversationsPageSearch {
  const { peek } = given;
  const isId = typeof peek === 'string' && peek !== '' && peek.length <= MAX_ID;
  return { ...parseConversationsSearch(given), ...(isId ? { peek } : {}) };
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim().slice(0, MAX_TEXT).trim();
  return text === '' ? undefined : text;
}

function timeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number > 0 && number < 8_640_000_000_000_000 ? number : undefined;
}

/**
 * Filters of the API for a state. Spans begin at a whole hour, so that the same state asks the same for a while.
 */
export function conversationFilters(
  search: ConversationsSearch,
  nowMs: number,
): Omit<ConversationCountQuery, 'by'> & Omit<ConversationListQuery, 'limit'> {
  const { flagged, failed, span, from, to, ...filters } = search;
  const startedAfter = from ?? (span === undefined ? undefined : wholeHour(nowMs) - SPANS[span] * 24 * HOUR_MS);
  return {
    ...filters,
    ...(flagged === undefined ? {} : { hasFinding: flagged === 'yes' }),
    ...(failed === undefined ? {} : { hasError: failed === 'yes' }),
    ...(startedAfter === undefined ? {} : { startedAfter }),
    ...(to === undefined ? {} : { startedBefore: to }),
  };
}

/** Window of the chart: that of the list, else the last 30 days. */
export function conversationWindow(
  { span, from, to }: ConversationsSearch,
  nowMs: number,
): { startMs: number; endMs: number; intervalMs: number } {
  const endMs = wholeHour(to ?? nowMs);
  const startMs =
    from === undefined ? endMs - SPANS[span ?? 'month'] * 24 * HOUR_MS : Math.floor(from / HOUR_MS) * HOUR_MS;
  const hours = (endMs - startMs) / HOUR_MS;
  const intervalMs = Math.max(1, Math.ceil(hours / 60)) * HOUR_MS;
  return { startMs, endMs, intervalMs };
}

/** Names of the filters that are set; a window is one filter. */
export function activeFilters(search: ConversationsSearch): ConversationFilter[] {
  return (Object.keys(search) as ConversationFilter[]).filter((name) => name !== 'to');
}

export function withoutFilter(search: ConversationsSearch, name: ConversationFilter): ConversationsSearch {
  return parseConversationsSearch({ ...search, [name]: undefined });
}

function wholeHour(timeMs: number): number {
  return Math.ceil(timeMs / HOUR_MS) * HOUR_MS;
}
