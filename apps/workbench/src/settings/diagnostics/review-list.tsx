import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { count, counted, percent, sentence } from '../../text/format.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { Time } from '../../text/time.tsx';
import { Badge } from '../../ui/badges.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { reviewsQuery } from '../queries.ts';
import { CHOSEN_BY, VERDICT_TONES } from './reviews.ts';

/** Conversations that a model has read; each leads to its transcript, where the quotes are marked. */
export function ReviewList({ projectId }: { readonly projectId: string }): ReactNode {
  const reviews = useInfiniteQuery(reviewsQuery(projectId));
  const columns = reviewColumns(projectId);
  return (
    <Panel title="Reviews" hint="The quotes of problems are marked in the conversation.">
      <Loaded
        query={{ ...reviews, data: reviews.data?.pages.flatMap(({ data }) => data) }}
        label="Reviews are being read"
        lines={4}
      >
        {(all) =>
          all.length === 0 ? (
            <p className="text-muted">No conversation was read by a model yet.</p>
          ) : (
            <Table
              label="Reviews"
              rows={all}
              columns={columns}
              idOf={({ conversationId, snapshotId }) => `${conversationId} ${snapshotId}`}
            />
          )
        }
      </Loaded>
      <LoadMore {...reviews} />
    </Panel>
  );
}

function reviewColumns(projectId: string): TableColumn<Api.Review>[] {
  return [
    {
      id: 'wanted',
      header: 'The user wanted',
      cell: ({ conversationId, wanted }) => (
        <Link
          to="/p/$projectId/conversations/$conversationId"
          params={{ projectId, conversationId }}
          className="line-clamp-2 hover:underline"
        >
          <HostileText text={wanted === '' ? conversationId : wanted} />
        </Link>
      ),
    },
    {
      id: 'verdict',
      header: 'Verdict',
      cell: ({ verdict, failureProbability }) => (
        <span title={`It failed with a likelihood of ${percent(failureProbability)}`}>
          <Badge tone={VERDICT_TONES[verdict]}>{sentence(verdict)}</Badge>
        </span>
      ),
    },
    {
      id: 'problems',
      header: 'Problems',
      className: 'whitespace-nowrap',
      cell: ({ problemCount, droppedCount }) => (
        <>
          {problemCount === 0 ? 'None' : `${count(problemCount)} quoted`}
          {droppedCount === 0 ? null : (
            <span className="block text-xs text-muted">{count(droppedCount)} dropped: not in its words</span>
          )}
        </>
      ),
    },
    {
      id: 'read',
      header: 'Read',
      className: 'whitespace-nowrap',
      cell: ({ reviewedAt, chosenBy }) => (
        <>
          <Time atMs={reviewedAt} />
          <span className="block text-xs text-muted">{CHOSEN_BY[chosenBy]}</span>
        </>
      ),
    },
    {
      id: 'cost',
      header: 'By',
      cell: ({ model, calls, tokens }) => (
        <>
          <HostileText className="font-mono text-xs" text={model} />
          <span className="block text-xs whitespace-nowrap text-muted">
            {counted(calls, 'call')}, {count(tokens)} tokens
          </span>
        </>
      ),
    },
  ];
}
