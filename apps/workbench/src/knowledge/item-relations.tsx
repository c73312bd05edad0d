import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { shortDay } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { messageOf } from '../ui/problem.ts';
import { itemQuery } from './queries.ts';

const WordDiff = lazy(() => import('../ui/word-diff.tsx'));

interface RelationsProps {
  readonly projectId: string;
  readonly item: Api.KnowledgeItem;
}

/** Items that this one replaces, that replaced it, or that may contradict it, each compared word by word. */
export function Relations({ projectId, item }: RelationsProps): ReactNode {
  const { supersedes, supersededBy, possiblyOutdatedBy } = item;
  return (
    <>
      {supersedes === null ? null : (
        <Relation {...{ projectId, item }} otherId={supersedes} title="It replaces" isOtherNewer={false} />
      )}
      {supersededBy === null ? null : (
        <Relation {...{ projectId, item }} otherId={supersededBy} title="It was replaced by" isOtherNewer />
      )}
      {possiblyOutdatedBy === null ? null : (
        <Relation
          {...{ projectId, item }}
          otherId={possiblyOutdatedBy}
          title="It may be out of date: this says nearly the same, with another value"
          isOtherNewer
        />
      )}
    </>
  );
}

interface RelationProps extends RelationsProps {
  readonly otherId: string;
  readonly title: string;
  readonly isOtherNewer: boolean;
}

function Relation({ projectId, item, otherId, title, isOtherNewer }: RelationProps): ReactNode {
  const other = useQuery(itemQuery(projectId, otherId));
  return (
    <section className="rounded-md border border-line-strong bg-surface">
      <h3 className="border-b border-line bg-sunken px-3 py-1.5 text-xs font-semibold">{title}</h3>
      {other.data === undefined ? (
        <p className="px-3 py-2 text-sm text-muted">
          {other.error === null ? 'It is being read.' : messageOf(other.error)}
        </p>
      ) : (
        <div className="px-3 py-2">
          <p className="mb-1 flex items-baseline gap-2">
            <Link
              to="/p/$projectId/knowledge"
              params={{ projectId }}
              search={{ status: 'all', reviewed: 'all', item: otherId }}
              className="truncate font-medium underline"
            >
              <HostileText text={other.data.title} />
            </Link>
            <span className="ml-auto shrink-0 text-xs text-muted">held from {shortDay(other.data.heldFrom)}</span>
          </p>
          <Suspense fallback={<HostileText text={other.data.content} />}>
            {isOtherNewer ? (
              <WordDiff before={item.content} after={other.data.content} />
            ) : (
              <WordDiff before={other.data.content} after={item.content} />
            )}
          </Suspense>
        </div>
      )}
    </section>
  );
}
