import type { Api } from '@clew/sdk';

export type ItemKind = Api.KnowledgeItem['kind'];

/** Kinds in the order of the keys 1 to 5. */
export const ITEM_KINDS = ['fact', 'preference', 'procedure', 'correction', 'policy'] as const;
/** Filters that are counted by their values. */
export const ITEM_FACETS = ['kind', 'status', 'reviewed'] as const;
export type ItemFacet = (typeof ITEM_FACETS)[number];

const STATUSES = ['active', 'archived', 'all'] as const;
const REVIEWS = ['false', 'true', 'all'] as const;
const MAX_TEXT = 200;
const MAX_ID = 100;
const PAGE = 100;

/** State of the review, all of which is in the address. Left out are the values of a queue: active, not yet reviewed. */
export interface KnowledgeSearch {
  readonly goal?: string;
  readonly status?: 'archived' | 'all';
  readonly reviewed?: 'true' | 'all';
  readonly kind?: ItemKind;
  readonly q?: string;
  /** Conversation that items are backed by. */
  readonly conversation?: string;
  /** Item that is open. */
  readonly item?: string;
}

export type KnowledgeFilter = Exclude<keyof KnowledgeSearch, 'item'>;

/** Filters of the API. */
export type ItemFilters = Pick<
  NonNullable<Api.ListItemsData['query']>,
  'goalId' | 'status' | 'reviewed' | 'kind' | 'q' | 'sourceConversationId'
>;

/** Reads the state from an address; whatever the API would refuse is left out. */
export function parseKnowledgeSearch(given: Readonly<Record<string, unknown>>): KnowledgeSearch {
  const status = STATUSES.find((each) => each === given['status']);
  const reviewed = REVIEWS.find((each) => each === given['reviewed']);
  const search: KnowledgeSearch = {
    goal: textOf(given['goal'], MAX_ID),
    status: status === 'active' ? undefined : status,
    reviewed: reviewed === 'false' ? undefined : reviewed,
    kind: ITEM_KINDS.find((each) => each === given['kind']),
    q: textOf(given['q'], MAX_TEXT),
    conversation: textOf(given['conversation'], MAX_ID),
    item: textOf(given['item'], MAX_ID),
  };
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}

function textOf(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim().slice(0, max).trim();
  return text === '' ? undefined : text;
}

/** Filters of the API for a state. */
export function itemFilters(search: KnowledgeSearch): ItemFilters {
  const { goal, status = 'active', reviewed = 'false', kind, q, conversation } = search;
  return {
    ...(goal === undefined ? {} : { goalId: goal }),
    ...(status === 'all' ? {} : { status }),
    ...(reviewed === 'all' ? {} : { reviewed: reviewed === 'true' }),
    ...(kind === undefined ? {} : { kind }),
    ...(q === undefined ? {} : { q }),
    ...(conversation === undefined ? {} : { sourceConversationId: conversation }),
  };
}

/** Query of the list. */
export function itemListOf(search: KnowledgeSearch): ItemFilters & { limit: number } {
  return { ...itemFilters(search), limit: PAGE };
}

/** Filters that differ from those of a queue. */
export function activeFilters(search: KnowledgeSearch): KnowledgeFilter[] {
  return (Object.keys(search) as (keyof KnowledgeSearch)[]).filter((name) => name !== 'item');
}

/** State without a filter. One of the queue's own filters is opened, so that more is shown. */
export function withoutFilter(search: KnowledgeSearch, name: KnowledgeFilter): KnowledgeSearch {
  return parseKnowledgeSearch({ ...search, item: undefined, [name]: undefined });
}

/** Value of a facet that is chosen; undefined for all. */
export function chosenOf(search: KnowledgeSearch, facet: ItemFacet): string | undefined {
  if (facet === 'kind') return search.kind;
  const value = facet === 'status' ? (search.status ?? 'active') : (search.reviewed ?? 'false');
  return value === 'all' ? undefined : value;
}

/** State after a value of a facet was chosen; the chosen one again, or undefined, means all. */
export function withFacet(search: KnowledgeSearch, facet: ItemFacet, value: string | undefined): KnowledgeSearch {
  const isAll = value === undefined || value === chosenOf(search, facet);
  const all = facet === 'kind' ? undefined : 'all';
  return parseKnowledgeSearch({ ...search, item: undefined, [facet]: isAll ? all : value });
}

/** Filters for the counts beside the values of a facet: all but its own. */
export function countFilters(search: KnowledgeSearch, facet: ItemFacet): ItemFilters {
  return itemFilters(withFacet(search, facet, undefined));
}
