import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

const OVERSCAN = 12;

export interface RowWindow {
  /** Rows that are in the page: from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
  readonly onScroll: () => void;
  readonly scrollTo: (at: number) => void;
}

/**
 * Rows of one height near the screen, of a list of any length, without work for each of the others. While further rows
 * are read in between, the first one that is seen stays where it is.
 */
export function useRowWindow(
  scroller: RefObject<HTMLDivElement | null>,
  keys: readonly string[],
  rowHeight: number,
  headHeight: number,
): RowWindow {
  const [first, setFirst] = useState(0);
  const [number, setNumber] = useState(40);
  const anchor = useRef<{ key: string; offset: number }>(undefined);
  const latest = useRef(keys);
  const onScroll = useCallback(() => {
    const top = scroller.current?.scrollTop ?? 0;
    const at = Math.max(0, Math.floor(top / rowHeight));
    const key = latest.current[at];
    anchor.current = key === undefined || top === 0 ? undefined : { key, offset: top - at * rowHeight };
    setFirst(at);
  }, [scroller, rowHeight]);
  useLayoutEffect(() => {
    latest.current = keys;
    const kept = anchor.current;
    const element = scroller.current;
    if (kept === undefined || element === null) return;
    const at = keys.indexOf(kept.key);
    const top = at * rowHeight + kept.offset;
    if (at >= 0 && Math.abs(element.scrollTop - top) >= 1) element.scrollTop = top;
  }, [keys, scroller, rowHeight]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setNumber(Math.ceil(element.clientHeight / rowHeight)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, rowHeight]);
  const scrollTo = useCallback(
    (at: number) => {
      const element = scroller.current;
      if (element === null) return;
      const top = at * rowHeight;
      const height = element.clientHeight - headHeight;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + rowHeight > element.scrollTop + height) element.scrollTop = top + rowHeight - height;
      onScroll();
    },
    [scroller, rowHeight, headHeight, onScroll],
  );
  return {
    start: Math.max(0, Math.min(first, keys.length) - OVERSCAN),
    end: Math.min(keys.length, first + number + OVERSCAN),
    onScroll,
    scrollTo,
  };
}
