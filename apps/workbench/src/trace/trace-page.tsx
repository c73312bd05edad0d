import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useCommands } from '../commands/use-commands.ts';
import { count, counted, duration } from '../text/format.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/fields.tsx';
import { notify } from '../ui/notices.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Progress } from '../ui/progress.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { FilteredEmpty, FirstUse, Loaded, Problem } from '../ui/states.tsx';
import { traceQuery } from './queries.ts';
import { SpanPanel } from './span-panel.tsx';
import { ancestorsOf, buildTree, matchingRows, rowsOf, shownPages, type SpanTree } from './span-tree.ts';
import { SpanTreeGrid } from './span-tree-grid.tsx';
import { parseTraceSearch, type TraceSearch } from './trace-search.ts';

const route = getRouteApi('/p/$projectId/traces/$traceId');

/** Spans that are read by themselves; further ones on request. */
const READ_AHEAD = 50_000;

/** Screen 6: one trace, as a tree with its times. */
export function TracePage(): ReactNode {
  const { projectId, traceId } = route.useParams();
  const trace = useInfiniteQuery(traceQuery(projectId, traceId));
  const pages = trace.data?.pages;
  const [firstPage] = pages ?? [];
  // Pages come quickly one after the other; after the first ones, several are shown at once.
  const number = shownPages(pages?.length ?? 0, trace.hasNextPage);
  const spans = useMemo(
    () => (firstPage === undefined ? undefined : pages?.slice(0, number).flatMap((page) => page.data)),
    [firstPage, number],
  );
  const tree = useMemo(() => (spans === undefined ? undefined : buildTree(spans)), [spans]);
  const total = trace.data?.pages[0]?.spanCount ?? 0;
  const read = trace.data?.pages.reduce((sum, page) => sum + page.data.length, 0) ?? 0;
  const { hasNextPage, isFetching, isError, fetchNextPage } = trace;
  const readsOn = hasNextPage && !isFetching && !isError && read < READ_AHEAD;
  useEffect(() => {
    if (readsOn) void fetchNextPage();
  }, [readsOn, fetchNextPage]);
  return (
    <>
      <PageHead title={`Trace ${traceId}`} trail={<Back />} />
      <Loaded query={{ ...trace, data: tree }} label="The trace is being read" lines={12}>
        {(shown) => (
          <>
            <Facts tree={shown} read={read} total={total} />
            {hasNextPage ? (
              <div className="flex items-center gap-3 px-4 pb-1">
                <Progress label="Spans are being read" share={total === 0 ? undefined : read / total} />
                {read >= READ_AHEAD || isError ? (
                  <Button isDisabled={isFetching} onPress={() => void fetchNextPage()}>
                    Read on
                  </Button>
                ) : null}
              </div>
            ) : null}
            {trace.error === null ? null : <Problem error={trace.error} onRetry={() => void fetchNextPage()} />}
            <TraceView key={traceId} tree={shown} isWhole={!hasNextPage} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Back(): ReactNode {
  return (
    <Button look="quiet" className="px-1" aria-label="Back" onPress={() => history.back()}>
      <ChevronLeft aria-hidden className="size-4" />
    </Button>
  );
}

interface FactsProps {
  readonly tree: SpanTree;
  readonly read: number;
  readonly total: number;
}

function Facts({ tree, read, total }: FactsProps): ReactNode {
  const failed = useMemo(() => [...tree.byId.values()].filter(({ hasFailed }) => hasFailed).length, [tree]);
  return (
    <p aria-live="polite" className="px-4 pb-1 text-xs text-muted tabular-nums">
      {read < total ? `${count(read)} of ${counted(total, 'span')}` : counted(read, 'span')} ·{' '}
      {duration(tree.durationMs)}
      {failed === 0 ? '' : ` · ${counted(failed, 'error')}`}
    </p>
  );
}

function TraceView({ tree, isWhole }: { readonly tree: SpanTree; readonly isWhole: boolean }): ReactNode {
  const { projectId, traceId } = route.useParams();
  // The router also gives parameters that no page knows.
  const search = parseTraceSearch(route.useSearch());
  const navigate = useNavigate();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const { span: chosenId, q, only } = search;
  const isFiltered = q !== undefined || only !== undefined;
  const rows = useMemo(
    () => (q !== undefined || only !== undefined ? matchingRows(tree, { q, only }) : rowsOf(tree, folded)),
    [tree, folded, q, only],
  );
  const onSearch = (next: TraceSearch) =>
    void navigate({ to: '/p/$projectId/traces/$traceId', params: { projectId, traceId }, search: next, replace: true });
  const setFold = (spanId: string, isFolded: boolean) => {
    const next = new Set(folded);
    if (isFolded) next.add(spanId);
    else next.delete(spanId);
    setFolded(next);
  };
  const chosen = chosenId === undefined ? undefined : tree.byId.get(chosenId);
  useEffect(() => {
    // A span that a link names is shown, whatever was folded.
    if (chosenId === undefined) return;
    const above = ancestorsOf(tree, chosenId);
    setFolded((before) =>
      above.some((id) => before.has(id)) ? new Set([...before].filter((id) => !above.includes(id))) : before,
    );
  }, [tree, chosenId]);
  useCommands({
    'page.up': () => history.back(),
    'id.copy': () => {
      const id = chosenId ?? traceId;
      navigator.clipboard.writeText(id).then(
        () => notify('The id is copied'),
        () => notify(id),
      );
    },
  });
  if (tree.byId.size === 0 && isWhole) {
    return <FirstUse title="The spans are gone">Retention has removed the spans of this trace.</FirstUse>;
  }
  return (
    <>
      <TraceBar {...{ tree, search, onSearch, setFolded }} matches={isFiltered ? rows.length : undefined} />
      {rows.length === 0 ? (
        <FilteredEmpty noun="spans" onClearAll={() => onSearch(chosenId === undefined ? {} : { span: chosenId })} />
      ) : (
        <div className="flex min-h-0 flex-1 max-lg:flex-col">
          <SpanTreeGrid
            rows={rows}
            totalMs={tree.durationMs}
            cursor={chosenId}
            onCursor={(spanId) => onSearch({ ...search, span: spanId })}
            onFold={setFold}
          />
          {chosen === undefined ? null : (
            <SpanPanel key={chosenId} node={chosen} onClose={() => onSearch({ ...search, span: undefined })} />
          )}
        </div>
      )}
    </>
  );
}

interface BarProps {
  readonly tree: SpanTree;
  readonly search: TraceSearch;
  readonly onSearch: (search: TraceSearch) => void;
  readonly setFolded: (folded: ReadonlySet<string>) => void;
  /** Number of spans that the filter names; undefined without one. */
  readonly matches: number | undefined;
}

function TraceBar({ tree, search, onSearch, setFolded, matches }: BarProps): ReactNode {
  return (
    <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2">
      <SearchBox
        label="Search names and attributes"
        value={search.q ?? ''}
        onChange={(typed) => onSearch(parseTraceSearch({ ...search, q: typed }))}
      />
      <CheckField
        label="Errors only"
        isChecked={search.only === 'errors'}
        onChange={(isOnly) => onSearch(parseTraceSearch({ ...search, only: isOnly ? 'errors' : undefined }))}
      />
      {matches === undefined ? (
        <span className="ml-auto flex gap-1">
          <Button look="quiet" onPress={() => setFolded(new Set())}>
            Unfold all
          </Button>
          <Button
            look="quiet"
            onPress={() =>
              setFolded(
                new Set(
                  [...tree.byId.values()].flatMap((node) => (node.children.length > 0 ? [node.span.spanId] : [])),
                ),
              )
            }
          >
            Fold all
          </Button>
        </span>
      ) : (
        <span className="text-xs text-muted">{counted(matches, 'span')} match</span>
      )}
    </div>
  );
}
