import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { memo, useEffect, useRef, type ReactNode } from 'react';
import type { NewRows } from './use-new-rows.ts';
import { useCommands } from '../commands/use-commands.ts';
import { cx } from './cx.ts';
import { NewRowsPill } from './new-rows-pill.tsx';
import { useLatest } from './use-latest.ts';
import { opensRow } from './row-link.tsx';
import { extended, moved, toggled, type ListMove, type ListState } from './selection.ts';

export interface GridColumn<Row> {
  readonly id: string;
  readonly header: ReactNode;
  /** Width as a track of a CSS grid. */
  readonly track: string;
  /** Content of the cell; a cell without any shows a dash. */
  readonly cell: (row: Row) => ReactNode;
  readonly className?: string;
  /** Whole text of the cell, where less of it is shown. */
  readonly titleOf?: (row: Row) => string;
  /** Attributes by which styles tell cells apart. */
  readonly attributesOf?: (row: Row) => Readonly<Record<`data-${string}`, string>>;
}

export interface GridProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly GridColumn<Row>[];
  readonly idOf: (row: Row) => string;
  readonly state: ListState;
  readonly onState: (state: ListState) => void;
  readonly onOpen: (row: Row) => void;
  /** Number of all rows, where it is known. */
  readonly total: number | undefined;
  readonly isMoreComing: boolean;
  /** Reads the next page, when the end comes near. */
  readonly onNearEnd: (() => void) | undefined;
  readonly isSelectable?: boolean;
  /** Words by which one knows a row, for the name of its checkbox. */
  readonly nameOf?: (row: Row) => string;
  /** Rows that have come since the list was read. */
  readonly newRows?: NewRows;
  readonly rowHeight?: number;
  /** Row that was first on the screen when the list was left. */
  readonly initialOffset?: number;
  readonly onOffset?: (offset: number) => void;
}

const HEADER_ROWS = 1;
const NEAR_END_ROWS = 20;
/** Rows beyond the edges of the screen, so that a turn of the wheel finds them there. */
const OVERSCAN_ROWS = 2;

/**
 * List of any length: only rows near the screen are in the page. The focus stays on the grid itself, which names the row
 * under the cursor, so that it is not lost with a row that leaves the page.
 */
export function Grid<Row>(props: GridProps<Row>): ReactNode {
  const { rows, columns, idOf, nameOf = idOf, state, label, total, isSelectable = false, isMoreComing } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const cursorAt = rows.findIndex((row) => idOf(row) === state.cursor);
  const virtualizer = useRowVirtualizer(props, scroller, cursorAt);
  useGridCommands(props, (at) => virtualizer.scrollToIndex(at));
  const items = virtualizer.getVirtualItems();
  const latest = useLatest(props);
  useNearEnd(props, items.at(-1)?.index ?? 0);
  const template = [isSelectable ? '2rem' : '', ...columns.map(({ track }) => track)].join(' ');
  const onShown = () => {
    props.onState({ ...state, cursor: null });
    scroller.current?.scrollTo({ top: 0 });
    scroller.current?.focus({ preventScroll: true });
  };
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={total === undefined || isMoreComing ? (total ?? -1) : rows.length + HEADER_ROWS}
        aria-multiselectable={isSelectable}
        aria-activedescendant={cursorAt < 0 ? undefined : rowElementId(label, cursorAt)}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto outline-none focus-visible:[&_[data-cursor]]:outline-2"
        onScroll={(event) => props.onOffset?.(event.currentTarget.scrollTop)}
      >
        <GridHead {...{ props, template }} />
        <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start, size }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const id = idOf(row);
            return (
              <GridRow
                key={id}
                {...{ row, id, index, start, size, template, columns, latest }}
                elementId={rowElementId(label, index)}
                selectName={isSelectable ? nameOf(row) : undefined}
                isCursor={index === cursorAt}
                isSelected={state.selected.has(id)}
              />
            );
          })}
        </div>
      </div>
      <NewRowsPill newRows={props.newRows} onShown={onShown} />
    </div>
  );
}

interface HeadProps<Row> {
  readonly props: GridProps<Row>;
  readonly template: string;
}

function GridHead<Row>({ props: { columns, isSelectable = false }, template }: HeadProps<Row>): ReactNode {
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="sticky top-0 z-10 grid h-8 items-center gap-3 border-b border-line bg-canvas px-3 text-xs font-medium text-muted"
      style={{ gridTemplateColumns: template }}
    >
      {isSelectable ? (
        <span role="columnheader">
          <span className="sr-only">Selected</span>
        </span>
      ) : null}
      {columns.map(({ id, header, className }) => (
        <span key={id} role="columnheader" className={cx('truncate', className)}>
          {header}
        </span>
      ))}
    </div>
  );
}

function rowElementId(label: string, at: number): string {
  return `${label.replaceAll(' ', '-')}-row-${at}`;
}

type Deeds<Row> = Pick<GridProps<Row>, 'state' | 'onState' | 'onOpen'>;

interface RowProps<Row> {
  readonly row: Row;
  readonly id: string;
  readonly elementId: string;
  readonly index: number;
  readonly start: number;
  readonly size: number;
  readonly template: string;
  readonly columns: readonly GridColumn<Row>[];
  /** Name of the row at its checkbox; absent where rows cannot be selected. */
  readonly selectName: string | undefined;
  readonly isCursor: boolean;
  readonly isSelected: boolean;
  readonly latest: { readonly current: Deeds<Row> };
}

/** Row that is made again only when something of it has changed, and neither with a turn of the wheel nor with its list. */
const GridRow = memo(RowOfGrid) as typeof RowOfGrid;

function RowOfGrid<Row>(props: RowProps<Row>): ReactNode {
  const { row, id, elementId, index, start, size, template, columns, selectName, isCursor, isSelected, latest } = props;
  return (
    <div
      role="row"
      id={elementId}
      aria-rowindex={index + HEADER_ROWS + 1}
      aria-selected={selectName === undefined ? undefined : isSelected}
      data-cursor={isCursor ? '' : undefined}
      className={cx(
        'group absolute inset-x-0 grid items-center gap-3 border-b border-line px-3 -outline-offset-2 outline-focus hover:bg-hover',
        isSelected && 'bg-chosen hover:bg-chosen',
        isCursor && 'shadow-[inset_3px_0_var(--accent)]',
      )}
      style={{ height: size, transform: `translateY(${start}px)`, gridTemplateColumns: template }}
      onClick={(event) => {
        if (!opensRow(event)) return;
        event.preventDefault();
        const { state, onState, onOpen } = latest.current;
        onState({ ...state, cursor: id });
        onOpen(row);
      }}
    >
      {selectName === undefined ? null : (
        <span role="gridcell" className="flex">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select ${selectName}`}
            checked={isSelected}
            className="size-3.5 accent-[var(--accent)]"
            onChange={() => {
              const { state, onState } = latest.current;
              onState({ cursor: id, selected: toggled(state.selected, id) });
            }}
          />
        </span>
      )}
      {columns.map((column) => (
        <span
          key={column.id}
          {...column.attributesOf?.(row)}
          role="gridcell"
          title={column.titleOf?.(row)}
          className={cx('min-w-0 truncate', column.className)}
        >
          {column.cell(row)}
        </span>
      ))}
    </div>
  );
}

function useRowVirtualizer<Row>(
  { rows, rowHeight = 40, initialOffset = 0 }: GridProps<Row>,
  scroller: React.RefObject<HTMLDivElement | null>,
  cursorAt: number,
) {
  return useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN_ROWS,
    scrollPaddingStart: 32,
    initialOffset,
    // The row under the cursor stays in the page, since the grid names it.
    rangeExtractor: (range: Range) => {
      const shown = defaultRangeExtractor(range);
      return cursorAt < 0 || shown.includes(cursorAt) ? shown : [...shown, cursorAt].sort((a, b) => a - b);
    },
  });
}

function useGridCommands<Row>(props: GridProps<Row>, scrollTo: (at: number) => void): void {
  const { rows, idOf, state, onState, onOpen, isSelectable = false } = props;
  const ids = () => rows.map(idOf);
  const apply = (next: ListState) => {
    onState(next);
    const at = rows.findIndex((row) => idOf(row) === next.cursor);
    if (at >= 0) scrollTo(at);
  };
  const move = (direction: ListMove) => () => apply({ ...state, cursor: moved(ids(), state.cursor, direction) });
  const extend = (direction: ListMove) => (isSelectable ? () => apply(extended(ids(), state, direction)) : undefined);
  const current = rows.find((row) => idOf(row) === state.cursor);
  const hasRows = rows.length > 0;
  useCommands({
    'list.next': hasRows ? move('next') : undefined,
    'list.previous': hasRows ? move('previous') : undefined,
    'list.first': hasRows ? move('first') : undefined,
    'list.last': hasRows ? move('last') : undefined,
    'list.open': current === undefined ? undefined : () => onOpen(current),
    'list.select':
      current === undefined || !isSelectable
        ? undefined
        : () => onState({ ...state, selected: toggled(state.selected, idOf(current)) }),
    'list.extend-next': extend('next'),
    'list.extend-previous': extend('previous'),
    'list.select-all': isSelectable && hasRows ? () => onState({ ...state, selected: new Set(ids()) }) : undefined,
  });
}

function useNearEnd<Row>({ rows, onNearEnd }: GridProps<Row>, lastShown: number): void {
  const isNear = lastShown >= rows.length - NEAR_END_ROWS;
  useEffect(() => {
    if (isNear) onNearEnd?.();
    // With each row that comes into view: a page that could not be read is asked for again.
  }, [isNear, onNearEnd, lastShown]);
}
