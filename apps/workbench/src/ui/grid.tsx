import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactNode } from 'react';
import { useCommands } from '../commands/use-commands.ts';
import { cx } from './cx.ts';
import { extended, moved, toggled, type ListMove, type ListState } from './selection.ts';

export interface GridColumn<Row> {
  readonly id: string;
  readonly header: ReactNode;
  /** Width as a track of a CSS grid. */
  readonly track: string;
  readonly cell: (row: Row) => ReactNode;
  readonly className?: string;
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
  readonly rowHeight?: number;
  /** Row that was first on the screen when the list was left. */
  readonly initialOffset?: number;
  readonly onOffset?: (offset: number) => void;
}

const HEADER_ROWS = 1;
const NEAR_END_ROWS = 20;

/**
 * List of any length: only rows near the screen are in the page. The focus stays on the grid itself, which names the row
 * under the cursor, so that it is not lost with a row that leaves the page.
 */
export function Grid<Row>(props: GridProps<Row>): ReactNode {
  const { rows, columns, idOf, state, label, total, isSelectable = false, isMoreComing } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const cursorAt = rows.findIndex((row) => idOf(row) === state.cursor);
  const virtualizer = useRowVirtualizer(props, scroller, cursorAt);
  useGridCommands(props, (at) => virtualizer.scrollToIndex(at));
  const items = virtualizer.getVirtualItems();
  useNearEnd(props, items.at(-1)?.index ?? 0);
  const template = [isSelectable ? '2rem' : '', ...columns.map(({ track }) => track)].join(' ');
  return (
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
      <div
        role="row"
        aria-rowindex={1}
        className="sticky top-0 z-10 grid h-8 items-center gap-3 border-b border-line bg-canvas px-3 text-xs font-medium text-muted"
        style={{ gridTemplateColumns: template }}
      >
        {isSelectable ? <span role="columnheader" aria-label="Selected" /> : null}
        {columns.map(({ id, header, className }) => (
          <span key={id} role="columnheader" className={cx('truncate', className)}>
            {header}
          </span>
        ))}
      </div>
      <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start, size }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <GridRow key={idOf(row)} {...{ row, index, start, size, template, props, isCursor: index === cursorAt }} />
          );
        })}
      </div>
    </div>
  );
}

function rowElementId(label: string, at: number): string {
  return `${label.replaceAll(' ', '-')}-row-${at}`;
}

interface RowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly start: number;
  readonly size: number;
  readonly template: string;
  readonly isCursor: boolean;
  readonly props: GridProps<Row>;
}

function GridRow<Row>({ row, index, start, size, template, isCursor, props }: RowProps<Row>): ReactNode {
  const { columns, idOf, state, onState, onOpen, label, isSelectable = false } = props;
  const id = idOf(row);
  const isSelected = state.selected.has(id);
  return (
    <div
      role="row"
      id={rowElementId(label, index)}
      aria-rowindex={index + HEADER_ROWS + 1}
      aria-selected={isSelectable ? isSelected : undefined}
      data-cursor={isCursor ? '' : undefined}
      className={cx(
        'group absolute inset-x-0 grid items-center gap-3 border-b border-line px-3 -outline-offset-2 outline-focus hover:bg-hover',
        isSelected && 'bg-chosen hover:bg-chosen',
        isCursor && 'shadow-[inset_3px_0_var(--accent)]',
      )}
      style={{ height: size, transform: `translateY(${start}px)`, gridTemplateColumns: template }}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('a, button, input, label') !== null) return;
        onState({ ...state, cursor: id });
        onOpen(row);
      }}
    >
      {isSelectable ? (
        <span role="gridcell" className="flex">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label="Select"
            checked={isSelected}
            className="size-3.5 accent-[var(--accent)]"
            onChange={() => onState({ cursor: id, selected: toggled(state.selected, id) })}
          />
        </span>
      ) : null}
      {columns.map((column) => (
        <span key={column.id} role="gridcell" className={cx('min-w-0 truncate', column.className)}>
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
    overscan: 8,
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
  }, [isNear, onNearEnd, rows.length]);
}
