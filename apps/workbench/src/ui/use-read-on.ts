import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';

/**
 * Reads the next page of a list, if there is one. It is another function once more has been read, so that a list whose
 * end is still near asks again; while a page is being read, nothing is drawn again.
 */
export function useReadOn(
  list: Pick<UseInfiniteQueryResult<unknown>, 'data' | 'hasNextPage' | 'fetchNextPage'>,
): () => void {
  const { data, hasNextPage, fetchNextPage } = list;
  return useCallback(() => {
    if (data !== undefined && hasNextPage) void fetchNextPage({ cancelRefetch: false });
  }, [data, hasNextPage, fetchNextPage]);
}
