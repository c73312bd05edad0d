import { ChevronRight, TriangleAlert } from 'lucide-react';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useCommands } from '../commands/use-commands.ts';
import { duration } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { cx } from '../ui/cx.ts';
import type { SpanRow } from './span-tree.ts';
import { useRowWindow } from './use-row-window.ts';

interface TreeProps {
  readonly rows: readonly SpanRow[];
  readonly totalMs: number;
  readonly cursor: string | undefined;
  readonly onCursor: (spanId: string) => void;
  readonly onFold: (spanId: string, isFolded: boolean) => void;
}

const ROW_HEIGHT = 28;
const HEAD_HEIGHT = 32;
const INDENT = 14;
const MAX_INDENT = 20;
const TRACKS = 'grid grid-cols-[minmax(16rem,2fr)_minmax(10rem,3fr)_5.5rem] items-center gap-3 px-3';

/** Spans as a tree with their times beside it; only rows near the screen are in the page. */
export function SpanTreeGrid(props: TreeProps): ReactNode {
  const { rows, totalMs, cursor } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const cursorAt = rows.findIndex(({ node }) => node.span.spanId === cursor);
  const keys = useMemo(() => rows.map(({ node }) => node.span.spanId), [rows]);
  const { start, end, onScroll, scrollTo } = useRowWindow(scroller, keys, ROW_HEIGHT, HEAD_HEIGHT);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    // The span that a link names comes into view once it has been read.
    if (cursorAt < 0 || shown.current === cursor) return;
    shown.current = cursor;
    scrollTo(cursorAt);
  }, [cursor, cursorAt, scrollTo]);
  useTreeCommands(props, cursorAt);
  return (
    <div
      ref={scroller}
      role="treegrid"
      aria-label="Spans"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={cursorAt < 0 ? undefined : `span-row-${cursorAt}`}
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto outline-none [overflow-anchor:none] focus-visible:[&_[data-cursor]]:outline-2"
      onScroll={onScroll}
    >
      <div
        role="row"
        aria-rowindex={1}
        className={cx(TRACKS, 'sticky top-0 z-10 h-8 border-b border-line bg-canvas text-xs font-medium text-muted')}
      >
        <span role="columnheader">Span</span>
        <span role="columnheader" className="flex justify-between tabular-nums">
          <span>0</span>
          <span>{duration(totalMs)}</span>
        </span>
        <span role="columnheader" className="text-right">
          Length
        </span>
      </div>
      <div role="rowgroup" className="relative" style={{ height: rows.length * ROW_HEIGHT }}>
        {rows.slice(start, end).map((row, at) => (
          <Row
            key={row.node.span.spanId}
            {...{ row, totalMs }}
            index={start + at}
            isCursor={start + at === cursorAt}
            onCursor={props.onCursor}
            onFold={props.onFold}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps extends Pick<TreeProps, 'totalMs' | 'onCursor' | 'onFold'> {
  readonly row: SpanRow;
  readonly index: number;
  readonly isCursor: boolean;
}

function Row({ row, index, totalMs, isCursor, onCursor, onFold }: RowProps): ReactNode {
  const { node, depth, isFolded } = row;
  const { span, hasFailed, children, isOrphan } = node;
  const isParent = children.length > 0;
  return (
    <div
      role="row"
      id={`span-row-${index}`}
      aria-rowindex={index + 2}
      aria-level={depth + 1}
      aria-expanded={isParent ? !isFolded : undefined}
      data-cursor={isCursor ? '' : undefined}
      className={cx(
        TRACKS,
        'absolute inset-x-0 border-b border-line -outline-offset-2 outline-focus hover:bg-hover',
        isCursor && 'bg-chosen shadow-[inset_3px_0_var(--accent)] hover:bg-chosen',
      )}
      style={{ height: ROW_HEIGHT, transform: `translateY(${index * ROW_HEIGHT}px)` }}
      onClick={() => onCursor(span.spanId)}
    >
      <span
        role="gridcell"
        className="flex min-w-0 items-center gap-1"
        style={{ paddingLeft: Math.min(depth, MAX_INDENT) * INDENT }}
      >
        <button
          type="button"
          tabIndex={-1}
          aria-label={isFolded ? 'Unfold' : 'Fold'}
          className={cx('rounded p-0.5 text-muted hover:bg-hover', !isParent && 'invisible')}
          onClick={(event) => {
            event.stopPropagation();
            onFold(span.spanId, !isFolded);
          }}
        >
          <ChevronRight aria-hidden className={cx('size-3.5', !isFolded && 'rotate-90')} />
        </button>
        {hasFailed ? <TriangleAlert aria-label="failed" className="size-3.5 shrink-0 text-critical" /> : null}
        <HostileText className={cx('truncate', hasFailed && 'text-critical')} text={span.name} />
        {isFolded ? <span className="text-xs text-muted">+{children.length}</span> : null}
        {isOrphan ? <span className="text-xs whitespace-nowrap text-muted">parent missing</span> : null}
      </span>
      <span role="gridcell" className="relative block h-3">
        <Bar {...{ node, totalMs }} />
      </span>
      <span role="gridcell" className="text-right text-xs tabular-nums">
        {duration(node.durationMs)}
      </span>
    </div>
  );
}

function Bar({ node, totalMs }: { readonly node: SpanRow['node']; readonly totalMs: number }): ReactNode {
  const share = (ms: number) => (totalMs === 0 ? 0 : (ms / totalMs) * 100);
  return (
    <span
      aria-hidden
      className={cx('absolute inset-y-0 min-w-[3px] rounded-sm', node.hasFailed ? 'bg-critical' : 'bg-accent')}
      style={{ left: `${Math.min(99.5, share(node.startMs))}%`, width: `${share(node.durationMs)}%` }}
    />
  );
}

function useTreeCommands({ rows, onCursor, onFold }: TreeProps, cursorAt: number): void {
  const go = (at: number) => () => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, at))];
    if (row !== undefined) onCursor(row.node.span.spanId);
  };
  const current = rows[cursorAt];
  const fold = () => {
    if (current === undefined) return;
    const { node, isFolded, depth } = current;
    if (node.children.length > 0 && !isFolded) onFold(node.span.spanId, true);
    else go(rows.findLastIndex((row, at) => at < cursorAt && row.depth < depth))();
  };
  const unfold = () => {
    if (current?.isFolded === true) onFold(current.node.span.spanId, false);
    else go(cursorAt + 1)();
  };
  useCommands({
    'list.next': go(cursorAt + 1),
    'list.previous': go(cursorAt < 0 ? 0 : cursorAt - 1),
    'list.first': go(0),
    'list.last': go(rows.length - 1),
    'tree.expand': current === undefined ? undefined : unfold,
    'tree.collapse': current === undefined ? undefined : fold,
  });
}
