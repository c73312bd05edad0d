import { useQuery, type QueryKey } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { NOTHING_AHEAD, newRowCount, newRowsText, type Ahead } from '../api/new-rows.ts';
import { notifyError } from './notices.tsx';
import { useLatest } from './use-latest.ts';

/** Rows that have come since a list was read. */
export interface NewRows {
  readonly text: string;
  readonly isBeingRead: boolean;
  /** Reads the list again from the top; resolves once its rows are there. */
  readonly show: () => Promise<void>;
}

interface NewRowsOptions {
  /** Key that live changes of the list's things have read again. */
  readonly key: QueryKey;
  /** First row of the list as it was read; another one means that all is known again. */
  readonly mark: string | undefined;
  readonly knownIds: readonly string[];
  /** Whether no row is shown, so that none could move. */
  readonly isEmpty: boolean;
  readonly readAtMs: number;
  readonly look: (signal: AbortSignal) => Promise<Ahead>;
  readonly readAgain: () => Promise<unknown>;
  /** Word beside their number. */
  readonly word?: string;
  /** Time between looks, for things of which nothing is heard at first. */
  readonly everyMs?: number;
}

/**
 * Looks for rows that a list does not have yet, when something is heard of its things. Nothing moves until somebody asks
 * for them; a list without rows, where nothing could move, is read again by itself.
 */
export function useNewRows(options: NewRowsOptions): NewRows | undefined {
  const { key, mark = '', knownIds, isEmpty, readAtMs, look, readAgain, word, everyMs } = options;
  const { data = NOTHING_AHEAD, refetch } = useQuery({
    queryKey: [...key, mark],
    queryFn: async ({ signal }) => look(signal),
    initialData: NOTHING_AHEAD,
    initialDataUpdatedAt: readAtMs,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
  const [isBeingRead, setBeingRead] = useState(false);
  const read = useLatest(readAgain);
  const show = useCallback(async () => {
    setBeingRead(true);
    try {
      await read.current();
      await refetch();
    } catch (error) {
      notifyError(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBeingRead(false);
    }
  }, [read, refetch]);
  const found = newRowCount(data, new Set(knownIds));
  const isWaited = found.count > 0 && isEmpty;
  useEffect(() => {
    if (isWaited) void show();
  }, [isWaited, show]);
  return found.count === 0 || isWaited ? undefined : { text: newRowsText(found, word), isBeingRead, show };
}
