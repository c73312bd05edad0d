import { useCallback, useEffect, useState } from 'react';
import { EMPTY_LIST, type ListState } from './selection.ts';

interface Place {
  readonly state: ListState;
  readonly offset: number;
  /** Ids in the order of the list, for the pages that go on to the next one. */
  readonly ids: readonly string[];
}

/** Places in the lists of this tab, so that Back finds cursor, selection and scrolling as they were. */
const places = new Map<string, Place>();
const MAX_PLACES = 50;
let latest: string | undefined;

function keep(name: string, place: Place): void {
  places.delete(name);
  places.set(name, place);
  const [oldest] = places.keys();
  if (places.size > MAX_PLACES && oldest !== undefined) places.delete(oldest);
}

export interface ListPlace {
  readonly state: ListState;
  readonly setState: (state: ListState) => void;
  readonly offset: number;
  readonly setOffset: (offset: number) => void;
}

/** State of a list that outlives its page, by the name of the list with its filters. */
export function useListPlace(name: string, ids: readonly string[]): ListPlace {
  const kept = places.get(name);
  const [state, setState] = useState(kept?.state ?? EMPTY_LIST);
  const [offset] = useState(kept?.offset ?? 0);
  useEffect(() => {
    if (ids.length > 0) latest = name;
    keep(name, { state, offset: places.get(name)?.offset ?? 0, ids });
  });
  const setOffset = useCallback(
    (next: number) => {
      const place = places.get(name);
      if (place !== undefined) keep(name, { ...place, offset: next });
    },
    [name],
  );
  return { state, setState, offset, setOffset };
}

/** Whether something is in the list that was shown last. */
export function isInList(id: string): boolean {
  return latest !== undefined && places.get(latest)?.ids.includes(id) === true;
}

/** Id before or after one in the list that was shown last; moves its cursor there. */
export function besideInList(id: string, by: 1 | -1): string | undefined {
  const place = latest === undefined ? undefined : places.get(latest);
  if (place === undefined || latest === undefined) return undefined;
  const at = place.ids.indexOf(id);
  const target = at < 0 ? undefined : place.ids[at + by];
  if (target !== undefined) keep(latest, { ...place, state: { ...place.state, cursor: target } });
  return target;
}
