import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { datasetListQuery } from '../examples/queries.ts';
import { itemCountQuery } from '../knowledge/queries.ts';
import { countAtLeast } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';

const SHOWN = 5;

/** Things beside Findings that wait for somebody; nothing while there is none. */
export default function AlsoWaiting({ projectId }: { readonly projectId: string }): ReactNode {
  const items = useQuery(itemCountQuery(projectId, { status: 'active', reviewed: false, by: 'kind' }));
  const blocked = useInfiniteQuery(datasetListQuery(projectId, { collectionStatus: 'setup_required', limit: SHOWN }));
  const toReview = items.data?.total ?? { count: 0, atLeast: false };
  const datasets = blocked.data?.pages[0]?.data ?? [];
  if (toReview.count === 0 && datasets.length === 0) return null;
  return (
    <section aria-label="Also waiting">
      <h2 className="border-b border-line pb-1.5 font-semibold">Also waiting</h2>
      <ul>
        {toReview.count === 0 ? null : (
          <li className="border-b border-line py-1.5">
            <Link
              to="/p/$projectId/knowledge"
              params={{ projectId }}
              search={{}}
              className="font-medium hover:underline"
            >
              {countAtLeast(toReview.count, toReview.atLeast)} Knowledge items to review
            </Link>
          </li>
        )}
        {datasets.map(({ id, name, blockedReason }) => (
          <li key={id} className="flex items-baseline gap-3 border-b border-line py-1.5">
            <Link
              to="/p/$projectId/datasets/$datasetId"
              params={{ projectId, datasetId: id }}
              search={{ tab: 'collection' }}
              className="min-w-0 truncate font-medium hover:underline"
            >
              <HostileText text={name} />
            </Link>
            <span className="text-muted">
              collects nothing yet
              {blockedReason === null ? null : (
                <>
                  : <HostileText text={blockedReason} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
