import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { decisionSummary } from '../collection/decision-summary.ts';
import { OUTCOME_IDS, OUTCOMES, REFUSAL_IDS, REFUSALS, reasonText, type Outcome } from '../collection/words.ts';
import { decisionsQuery } from '../examples/queries.ts';
import { counted, sentence } from '../text/format.ts';
import { Time } from '../text/time.tsx';
import { Badge, type Tone } from '../ui/badges.tsx';
import { Button } from '../ui/button.tsx';
import { FacetMenu } from '../ui/facet-menu.tsx';
import { Loaded, withData } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { TextFilter } from '../ui/text-filter.tsx';
import type { TabProps } from './tab-props.ts';
import { parseDatasetSearch } from './dataset-search.ts';

const TONES: Readonly<Record<Outcome, Tone>> = {
  collected: 'ok',
  replaced: 'ok',
  kept: 'low',
  stale: 'medium',
  removed_by_hand: 'info',
  refused: 'info',
  to_synthesize: 'low',
};
const SUMMED_UP = 1_000;

/** Decisions of the collection, the latest first, with its reasons. */
export function Decisions(props: TabProps): ReactNode {
  const { projectId, dataset, search, onSearch } = props;
  const { outcome, reason, conversationId } = search;
  const latest = useInfiniteQuery(decisionsQuery(projectId, dataset.id, { limit: SUMMED_UP }));
  const list = useInfiniteQuery(decisionsQuery(projectId, dataset.id, { outcome, reason, conversationId, limit: 50 }));
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data]);
  const summary = useMemo(() => decisionSummary(latest.data?.pages[0]?.data ?? []), [latest.data]);
  const set = (name: 'outcome' | 'reason' | 'conversationId', value: string | undefined) =>
    onSearch(parseDatasetSearch({ ...search, [name]: value === search[name] ? undefined : value }));
  const columns = useMemo(() => columnsOf(projectId, dataset.id), [projectId, dataset.id]);
  const isFiltered = outcome !== undefined || reason !== undefined || conversationId !== undefined;
  if (summary.total === 0 && !isFiltered && latest.error === null && dataset.collectionPolicy === null) return null;
  return (
    <section aria-labelledby="decisions-title" className="flex flex-col gap-2 border-t border-line pt-4">
      <h2 id="decisions-title" className="text-base font-semibold">
        What it took, and what it left
      </h2>
      {summary.total === 0 ? null : (
        <p className="text-muted">
          Of the latest {counted(summary.total, 'decision')}:{' '}
          {summary.outcomes.map((each) => `${each.number} ${OUTCOMES[each.outcome].toLowerCase()}`).join(', ')}.
          {summary.refusals.length === 0
            ? ''
            : ` Refused most often because ${summary.refusals
                .slice(0, 3)
                .map((each) => `${REFUSALS[each.reason]} (${each.number})`)
                .join(', ')}.`}
        </p>
      )}
      <div className="flex flex-wrap gap-1.5">
        <FacetMenu
          title="Outcome"
          values={OUTCOME_IDS.map((value) => ({ value, label: OUTCOMES[value] }))}
          chosen={outcome === undefined ? [] : [outcome]}
          onChoose={(value) => set('outcome', value)}
          onClear={() => set('outcome', undefined)}
        />
        <FacetMenu
          title="Reason"
          values={REFUSAL_IDS.map((value) => ({ value, label: sentence(REFUSALS[value]) }))}
          chosen={reason === undefined ? [] : [reason]}
          onChoose={(value) => set('reason', value)}
          onClear={() => set('reason', undefined)}
        />
        <TextFilter title="Conversation" value={conversationId} onChange={(value) => set('conversationId', value)} />
        <Button look="quiet" className="ml-auto" onPress={() => void list.refetch()}>
          Read again
        </Button>
      </div>
      <Loaded query={withData(list, rows)} label="Decisions are being read" lines={4}>
        {(decisions) =>
          decisions.length === 0 && !list.hasNextPage ? (
            <p className="text-muted">{isFiltered ? 'None match.' : 'It has decided on nothing yet.'}</p>
          ) : (
            <Table label="Decisions" rows={decisions} columns={columns} idOf={({ id }) => id} />
          )
        }
      </Loaded>
      {list.hasNextPage ? (
        <Button className="self-start" isDisabled={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          Earlier decisions
        </Button>
      ) : null}
    </section>
  );
}

function columnsOf(projectId: string, datasetId: string): TableColumn<Api.CollectionDecision>[] {
  return [
    {
      id: 'outcome',
      header: 'Outcome',
      className: 'w-44',
      cell: ({ outcome }) => <Badge tone={TONES[outcome]}>{OUTCOMES[outcome]}</Badge>,
    },
    {
      id: 'because',
      header: 'Because',
      cell: ({ because, reason, redacted }) => (
        <>
          {[reason, because].flatMap((each) => (each === null ? [] : [reasonText(each)])).join('; ')}
          {redacted === 0 ? '' : ` (${counted(redacted, 'value')} replaced)`}
        </>
      ),
    },
    {
      id: 'subject',
      header: 'Of',
      className: 'font-mono text-xs',
      cell: ({ conversationId, itemId }) =>
        conversationId === null ? (
          <bdi>{itemId ?? ''}</bdi>
        ) : (
          <Link
            to="/p/$projectId/conversations/$conversationId"
            params={{ projectId, conversationId }}
            className="underline"
          >
            <bdi>{conversationId}</bdi>
          </Link>
        ),
    },
    {
      id: 'examples',
      header: 'Example',
      cell: ({ exampleIds }) =>
        exampleIds.map((exampleId, at) => (
          <Link
            key={exampleId}
            to="/p/$projectId/datasets/$datasetId/examples/$exampleId"
            params={{ projectId, datasetId, exampleId }}
            className="mr-2 underline"
          >
            {exampleIds.length === 1 ? 'Open' : `Open ${at + 1}`}
          </Link>
        )),
    },
    { id: 'at', header: 'When', className: 'w-24 text-muted', cell: ({ decidedAt }) => <Time atMs={decidedAt} /> },
  ];
}
