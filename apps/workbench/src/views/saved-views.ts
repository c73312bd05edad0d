/** Filters and order of a list under a name. */
export interface SavedView {
  readonly name: string;
  /** State of the list as it stands in its address. */
  readonly search: string;
}

/** Lists that have views. */
export type ViewedList = 'findings' | 'conversations';

export const MAX_VIEWS = 30;
export const MAX_NAME = 60;
const MAX_SEARCH = 4_000;

/** Name under which this browser keeps the views of one person of a list of a project. */
export function storageName(list: ViewedList, projectId: string, personId: string): string {
  return `clew.views.${list}.${projectId}.${personId}`;
}

/** Reads what is kept; what is not a view of today is left out. */
export function parseViews(stored: string | null): SavedView[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return (Array.isArray(value) ? value : []).filter(isView).slice(0, MAX_VIEWS);
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  const { name, search } = value as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    name !== '' &&
    name.length <= MAX_NAME &&
    typeof search === 'string' &&
    search.length <= MAX_SEARCH
  );
}

/** Views with one more, in the order of their names; one of the same name is replaced. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...withoutView(views, view.name), view].sort((a, b) => a.name.localeCompare(b.name));
}

export function withoutView(views: readonly SavedView[], name: string): SavedView[] {
  return views.filter((each) => each.name !== name);
}

/** Reason for which a view cannot be kept under a name; undefined where it can. */
export function nameProblem(views: readonly SavedView[], name: string): string | undefined {
  const text = name.trim();
  if (text === '') return 'Name the view';
  const isNew = views.every((each) => each.name !== text);
  return isNew && views.length >= MAX_VIEWS ? `There are ${MAX_VIEWS} already; remove one first` : undefined;
}
