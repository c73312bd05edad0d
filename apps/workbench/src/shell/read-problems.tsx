import { notifyManager, useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { ApiError } from '@clew/sdk';
import { Button } from '../ui/button.tsx';
import { shownErrors } from '../ui/shown-errors.ts';

/** Line above a page of which a part could not be read, where that part has no place to say so itself. */
export function ReadProblems(): ReactNode {
  const [first, ...others] = useUnshownFailures();
  if (first === undefined) return null;
  const { error } = first.state;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-medium-soft px-4 py-1 text-xs text-medium"
    >
      <p className="min-w-0 flex-1">
        Part of the page could not be read: {error?.message}
        {requestId === undefined ? null : (
          <>
            {' '}
            · Request <code className="font-mono">{requestId}</code>
          </>
        )}
        {others.length === 0 ? null : ` · and ${others.length} more`}
      </p>
      <Button
        className="h-6 px-1.5 text-xs text-ink"
        onPress={() => {
          for (const query of [first, ...others]) void query.fetch();
        }}
      >
        Try again
      </Button>
    </div>
  );
}

function useUnshownFailures(): readonly Query[] {
  const client = useQueryClient();
  const [failed, setFailed] = useState<readonly Query[]>([]);
  useEffect(() => {
    // Views hear of their queries in the same turn, and show what they can before this looks.
    const look = notifyManager.batchCalls(() => {
      const next = unshownFailures(client);
      setFailed((known) =>
        known.length === next.length && known.every((query, at) => query === next[at]) ? known : next,
      );
    });
    const ends = [client.getQueryCache().subscribe(look), shownErrors.subscribe(look)];
    look();
    return () => {
      for (const end of ends) end();
    };
  }, [client]);
  return failed;
}

function unshownFailures(client: QueryClient): Query[] {
  return client
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.error !== null && state.data === undefined && !shownErrors.has(state.error))
    .filter((query) => query.isActive());
}
