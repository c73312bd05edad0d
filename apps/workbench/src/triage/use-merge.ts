import { useMutation, useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { findingsKey } from '../api/queries.ts';

interface Merge {
  readonly findingIds: readonly string[];
  readonly into: string;
}

export interface MergeResult {
  readonly mergedIds: readonly string[];
  /** First refusal, if there was one. */
  readonly error: Error | undefined;
  readonly refused: number;
}

/** Merges Findings into another one, each by itself, so that one that is refused keeps none of the others back. */
export function useMerge(projectId: string, onDone: (result: MergeResult) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ findingIds, into }: Merge): Promise<MergeResult> => {
      const mergedIds: string[] = [];
      const errors: Error[] = [];
      for (const id of findingIds) {
        try {
          await clew.findings.merge(id, { into }, { project: projectId });
          mergedIds.push(id);
        } catch (error) {
          errors.push(error instanceof Error ? error : new Error(String(error)));
        }
      }
      return { mergedIds, error: errors[0], refused: errors.length };
    },
    onSuccess: (result) => {
      leaveLists(client, projectId, new Set(result.mergedIds));
      void refreshFindings(client, projectId);
      onDone(result);
    },
  });
}

/** Takes Findings out of the lists that are there: no row moves but theirs. */
function leaveLists(client: QueryClient, projectId: string, ids: ReadonlySet<string>): void {
  client.setQueriesData<InfiniteData<{ data: Api.Finding[]; nextCursor: string | null }>>(
    { queryKey: [...findingsKey(projectId), 'list'] },
    (list) =>
      list === undefined
        ? list
        : {
            ...list,
            pages: list.pages.map((page) => ({ ...page, data: page.data.filter(({ id }) => !ids.has(id)) })),
          },
  );
}

/** Reads again what merging, splitting and taking out change, but lists. */
export async function refreshFindings(client: QueryClient, projectId: string): Promise<void> {
  const kinds = ['count', 'one', 'activity', 'occurrences', 'occurrence-counts', 'new'];
  await Promise.all(kinds.map((kind) => client.invalidateQueries({ queryKey: [...findingsKey(projectId), kind] })));
}
