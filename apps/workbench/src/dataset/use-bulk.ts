import { useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { datasetsKey, exampleListKey } from '../examples/queries.ts';
import { notify, notifyError } from '../ui/notices.tsx';
import { afterChange, bulkSummary, MAX_AT_ONCE, type BulkOutcome, type ExamplesChange } from './bulk.ts';

type CachedList = InfiniteData<{ data: Api.Example[]; nextCursor: string | null }>;

interface Deed {
  readonly examples: readonly Api.Example[];
  readonly change: ExamplesChange;
}

/** Tags or deletes many Examples; the lists follow without being read again, so that no other row moves. */
export function useBulk(projectId: string, datasetId: string, onDone: (deletedIds: ReadonlySet<string>) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ examples, change }: Deed) => {
      const results: BulkOutcome[] = [];
      for (let from = 0; from < examples.length; from += MAX_AT_ONCE) {
        const part = examples.slice(from, from + MAX_AT_ONCE);
        const body = { examples: part.map(({ id, version }) => ({ exampleId: id, version })), change };
        results.push(...(await clew.examples.updateMany(datasetId, body, { project: projectId })).results);
      }
      return results;
    },
    onSuccess: (outcomes, { change }) => {
      client.setQueriesData<CachedList>({ queryKey: exampleListKey(projectId, datasetId) }, (list) =>
        list === undefined
          ? list
          : { ...list, pages: list.pages.map((page) => ({ ...page, data: afterChange(page.data, outcomes, change) })) },
      );
      const deleted = outcomes.filter(({ outcome }) => outcome === 'deleted').map(({ exampleId }) => exampleId);
      onDone(new Set(deleted));
      notify(bulkSummary(outcomes), { isProblem: outcomes.some(({ outcome }) => outcome === 'refused') });
    },
    onError: notifyError,
    onSettled: () => {
      for (const kind of ['one', 'count', 'versions', 'example'])
        void client.invalidateQueries({ queryKey: [...datasetsKey(projectId), kind, datasetId] });
    },
  });
}
