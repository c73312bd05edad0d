import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery } from '../api/queries.ts';
import { parseViews, storageName, withoutView, withView, type SavedView, type ViewedList } from './saved-views.ts';

export interface SavedViews {
  readonly views: readonly SavedView[];
  readonly save: (view: SavedView) => void;
  readonly remove: (name: string) => void;
}

/** Views of the person, which this browser keeps: the API has no place for them. */
export function useSavedViews(list: ViewedList, projectId: string): SavedViews {
  const { data: me } = useQuery(meQuery);
  const name = storageName(list, projectId, me?.id ?? '');
  const [kept, setKept] = useState<{ readonly name: string; readonly views: readonly SavedView[] }>();
  const views = kept?.name === name ? kept.views : read(name);
  const set = (next: readonly SavedView[]) => {
    write(name, next);
    setKept({ name, views: next });
  };
  return {
    views,
    save: (view) => set(withView(read(name), view)),
    remove: (viewName) => set(withoutView(read(name), viewName)),
  };
}

function read(name: string): SavedView[] {
  try {
    return parseViews(localStorage.getItem(name));
  } catch {
    return [];
  }
}

function write(name: string, views: readonly SavedView[]): void {
  try {
    localStorage.setItem(name, JSON.stringify(views));
  } catch {
    // A browser that stores nothing keeps them until the page is left.
  }
}
