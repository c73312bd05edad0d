import type { Api } from '@clew/sdk';

/** Tabs of the list: what did not work comes first. */
export const WORK_ITEM_VIEWS = ['errors', 'open', 'done', 'all'] as const;
export type WorkItemView = (typeof WORK_ITEM_VIEWS)[number];

export const PROVIDERS = ['github', 'gitlab', 'jira', 'linear'] as const;

export interface WorkItemsSearch {
  readonly view?: WorkItemView;
  readonly provider?: (typeof PROVIDERS)[number];
}

/** Reads the state from an address; whatever the API would refuse is left out. */
export function parseWorkItemsSearch(given: Readonly<Record<string, unknown>>): WorkItemsSearch {
  const view = WORK_ITEM_VIEWS.find((each) => each === given['view']);
  const provider = PROVIDERS.find((each) => each === given['provider']);
  return { ...(view === undefined ? {} : { view }), ...(provider === undefined ? {} : { provider }) };
}

type WorkItemQuery = NonNullable<Api.ListProjectWorkItemsData['query']>;

/** Filters of the API for a state; `open` has none of its own, and is chosen from all. */
export function workItemFilters({ view = 'all', provider }: WorkItemsSearch): WorkItemQuery {
  const VIEW: Readonly<Record<WorkItemView, WorkItemQuery>> = {
    errors: { syncState: 'error' },
    open: {},
    done: { status: 'done' },
    all: {},
  };
  return { ...VIEW[view], ...(provider === undefined ? {} : { provider }) };
}

/** Whether a work item belongs to a tab. */
export function belongsTo(view: WorkItemView, { status, syncState, isPrimary }: WorkItemState): boolean {
  if (view === 'errors') return syncState === 'error';
  if (view === 'open') return status !== 'done' && isPrimary;
  return view === 'all' || status === 'done';
}

interface WorkItemState {
  readonly status: Api.WorkItem['status'];
  readonly syncState: Api.WorkItem['syncState'];
  readonly isPrimary: boolean;
}

/** The same rows with those that did not work in front; all others stay in their order. */
export function errorsFirst<Item extends Pick<WorkItemState, 'syncState'>>(items: readonly Item[]): Item[] {
  return [
    ...items.filter(({ syncState }) => syncState === 'error'),
    ...items.filter(({ syncState }) => syncState !== 'error'),
  ];
}

/** Deed that a work item needs: its issue is made again, or looked at again. */
export function deedOf(item: WorkItemState): 'retry' | 'sync' | undefined {
  if (!item.isPrimary) return undefined;
  return item.status === 'provisioning' && item.syncState === 'error' ? 'retry' : 'sync';
}
