import { useInfiniteQuery, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { useReadOn } from '../ui/use-read-on.ts';
import { useCommands } from '../commands/use-commands.ts';
import { exampleCountQuery, exampleListKey, exampleListQuery } from '../examples/queries.ts';
import { count, countAtLeast } from '../text/format.ts';
import { Button, buttonClass, CommandButton, Keys } from '../ui/button.tsx';
import { Grid } from '../ui/grid.tsx';
import { useListPlace } from '../ui/list-place.ts';
import { cursorWithout } from '../ui/selection.ts';
import { FilteredEmpty, FirstUse, Loaded, withData } from '../ui/states.tsx';
import { BulkBar } from './bulk-bar.tsx';
import type { ExamplesChange } from './bulk.ts';
import type { TabProps } from './tab-props.ts';
import { activeFilters, exampleFilters, withFilter, withoutFilters } from './dataset-search.ts';
import { exampleColumns, exampleName } from './example-columns.tsx';
import { ExampleFilters, FILTER_LABELS } from './example-filters.tsx';
import { SourcePanel } from './source-panel.tsx';
import { useBulk } from './use-bulk.ts';

/** Examples of a Dataset as they are now. */
export function ExamplesTab(props: TabProps): ReactNode {
  const { dataset, search } = props;
  const { beside: _, ...listed } = search;
  const isEmpty = dataset.exampleCount === 0 && activeFilters(search).length === 0;
  if (isEmpty) return <NoExamples {...props} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ExampleFilters {...props} />
      <ExampleList key={JSON.stringify(listed)} {...props} />
    </div>
  );
}

function ExampleList(props: TabProps): ReactNode {
  const { projectId, dataset, search } = props;
  const list = useInfiniteQuery(exampleListQuery(projectId, dataset.id, { ...exampleFilters(search), limit: 100 }));
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data]);
  const { hasNextPage } = list;
  const onNearEnd = useReadOn(list);
  return (
    <Loaded query={withData(list, rows)} label="Examples are being read" lines={12}>
      {(examples) =>
        examples.length === 0 && !hasNextPage ? (
          <NoneMatch {...props} />
        ) : (
          <ExampleRows {...props} {...{ examples, onNearEnd }} isMoreComing={hasNextPage} />
        )
      }
    </Loaded>
  );
}

interface RowsProps extends TabProps {
  readonly examples: readonly Api.Example[];
  readonly isMoreComing: boolean;
  readonly onNearEnd: () => void;
}

function ExampleRows(props: RowsProps): ReactNode {
  const { projectId, dataset, search, mayWrite, examples, isMoreComing, onNearEnd } = props;
  const navigate = useNavigate();
  const client = useQueryClient();
  const total = useQuery(exampleCountQuery(projectId, dataset.id, exampleFilters(search))).data?.total;
  const ids = useMemo(() => examples.map(({ id }) => id), [examples]);
  const { beside, ...listed } = search;
  const place = useListPlace(`examples ${dataset.id} ${JSON.stringify(listed)}`, ids);
  const { state, setState } = place;
  const bulk = useBulk(projectId, dataset.id, (deleted) =>
    setState({
      cursor: cursorWithout(ids, state.cursor, deleted),
      selected: new Set([...state.selected].filter((id) => !deleted.has(id))),
    }),
  );
  const chosen = examples.filter(({ id }) => (state.selected.size > 0 ? state.selected.has(id) : id === state.cursor));
  const current = examples.find(({ id }) => id === state.cursor);
  const open = ({ id }: Api.Example) =>
    void navigate({
      to: '/p/$projectId/datasets/$datasetId/examples/$exampleId',
      params: { projectId, datasetId: dataset.id, exampleId: id },
    });
  const refresh = () => void client.resetQueries({ queryKey: exampleListKey(projectId, dataset.id) });
  useCommands({
    'page.up': state.selected.size > 0 ? () => setState({ ...state, selected: new Set() }) : undefined,
    'example.edit': current === undefined ? undefined : () => open(current),
    'list.refresh': refresh,
  });
  const columns = useMemo(() => exampleColumns(projectId), [projectId]);
  return (
    <>
      <ExampleBar
        {...props}
        {...{ chosen, total }}
        selected={state.selected.size}
        isPending={bulk.isPending}
        onChange={(change) => bulk.mutate({ examples: chosen, change })}
        onClear={() => setState({ ...state, selected: new Set() })}
        onRefresh={refresh}
      />
      <div className="flex min-h-0 flex-1 max-lg:flex-col">
        <Grid
          label="Examples"
          rows={examples}
          columns={columns}
          idOf={({ id }) => id}
          nameOf={exampleName}
          state={state}
          onState={setState}
          onOpen={open}
          total={total?.atLeast === false ? total.count : undefined}
          isMoreComing={isMoreComing}
          onNearEnd={onNearEnd}
          isSelectable={mayWrite}
          initialOffset={place.offset}
          onOffset={place.setOffset}
        />
        {beside === 'source' ? <SourcePanel {...{ projectId }} example={current ?? examples[0]} /> : null}
      </div>
    </>
  );
}

interface BarProps extends RowsProps {
  readonly chosen: readonly Api.Example[];
  readonly total: Api.Count | undefined;
  readonly selected: number;
  readonly isPending: boolean;
  readonly onChange: (change: ExamplesChange) => void;
  readonly onClear: () => void;
  readonly onRefresh: () => void;
}

function ExampleBar(props: BarProps): ReactNode {
  const { search, onSearch, mayWrite, examples, isMoreComing, chosen, total, selected } = props;
  const { isPending, onChange, onClear, onRefresh } = props;
  const { beside, ...listed } = search;
  const isBeside = beside !== undefined;
  const totalText = total === undefined ? '' : countAtLeast(total.count, total.atLeast);
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-3 border-y border-line bg-surface px-4 py-1 text-xs text-muted">
      <span aria-live="polite" className="tabular-nums">
        {selected > 0 ? `${count(selected)} selected` : `${totalText} Examples`}
      </span>
      {mayWrite ? <BulkBar examples={chosen} {...{ isPending, onChange }} /> : null}
      {selected > 0 ? (
        <Button look="quiet" onPress={onClear}>
          Clear the selection
        </Button>
      ) : null}
      {total !== undefined && !total.atLeast && total.count !== examples.length && !isMoreComing ? (
        <Button look="quiet" onPress={onRefresh}>
          <RotateCw aria-hidden className="size-3.5" /> Examples have changed: read again
        </Button>
      ) : null}
      <span className="ml-auto">
        <CommandButton
          look="quiet"
          command="example.source"
          aria-pressed={isBeside}
          onPress={() => onSearch(isBeside ? listed : { ...listed, beside: 'source' })}
        >
          {isBeside ? 'Hide the source' : 'Source beside'} <Keys command="example.source" />
        </CommandButton>
      </span>
    </div>
  );
}

function NoneMatch({ projectId, dataset, search, onSearch }: TabProps): ReactNode {
  const filters = activeFilters(search);
  const without = useQueries({
    queries: filters.map((name) =>
      exampleCountQuery(projectId, dataset.id, exampleFilters(withFilter(search, name, search[name]))),
    ),
  });
  const totals = filters.map((name, at) => ({ name, found: without[at]?.data?.total }));
  const strictest = totals.reduce<(typeof totals)[number] | undefined>(
    (most, each) => ((each.found?.count ?? 0) > (most?.found?.count ?? 0) ? each : most),
    undefined,
  );
  return (
    <FilteredEmpty
      noun="Examples"
      strictest={
        strictest?.found === undefined
          ? undefined
          : {
              label: FILTER_LABELS[strictest.name],
              wouldShow: countAtLeast(strictest.found.count, strictest.found.atLeast),
            }
      }
      onClear={() => {
        if (strictest !== undefined) onSearch(withFilter(search, strictest.name, search[strictest.name]));
      }}
      onClearAll={() => onSearch(withoutFilters(search))}
    />
  );
}

function NoExamples({ projectId, dataset, onSearch, mayWrite }: TabProps): ReactNode {
  return (
    <FirstUse
      title="No Examples yet"
      action={
        mayWrite ? (
          <div className="flex flex-wrap gap-2">
            <Link
              to="/p/$projectId/datasets/$datasetId/examples/$exampleId"
              params={{ projectId, datasetId: dataset.id, exampleId: 'new' }}
              className={buttonClass('main')}
            >
              Write the first one
            </Link>
            <Button onPress={() => onSearch({ tab: 'import' })}>Import a file</Button>
            <Button onPress={() => onSearch({ tab: 'collection' })}>Collect from conversations</Button>
          </div>
        ) : undefined
      }
    >
      Examples stand here with their input, the answer that is expected and the one that is not wanted. From a Finding,
      the key E makes one of the conversation that shows it.
    </FirstUse>
  );
}
