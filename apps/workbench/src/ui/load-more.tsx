import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface LoadMoreProps {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/** Way to the next page of a table; nothing where there is none. */
export function LoadMore({ hasNextPage, isFetchingNextPage, fetchNextPage }: LoadMoreProps): ReactNode {
  if (!hasNextPage) return null;
  return (
    <Button className="mt-3" isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
      Show more
    </Button>
  );
}
