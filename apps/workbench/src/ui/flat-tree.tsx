import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight } from 'lucide-react';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { count } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { cx } from './cx.ts';
import { treeRows, type TreeRow, type TreeState } from './flat-tree-rows.ts';

interface FlatTreeProps {
  readonly label: string;
  readonly value: object;
}

/** JSON value as a tree of any size: only rows near the screen are in the page. */
export function FlatTree({ label, value }: FlatTreeProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<TreeState>({ toggled: new Set(), whole: new Set() });
  const rows = useMemo(() => treeRows(value, state), [value, state]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 24,
    getItemKey: (at) => rows[at]?.path ?? at,
    overscan: 10,
  });
  const flip = (name: keyof TreeState, path: string) =>
    setState((before) => {
      const next = new Set(before[name]);
      if (!next.delete(path)) next.add(path);
      return { ...before, [name]: next };
    });
  if (rows.length === 0) return <p className="p-3 text-muted">None.</p>;
  return (
    <div
      ref={scroller}
      role="region"
      aria-label={label}
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto font-mono text-xs -outline-offset-2"
    >
      <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="absolute inset-x-0 border-b border-line px-3 py-0.5"
              style={{ transform: `translateY(${start}px)`, paddingLeft: 12 + row.depth * 14 }}
            >
              <Row row={row} onToggle={() => flip('toggled', row.path)} onShowAll={() => flip('whole', row.path)} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface RowProps {
  readonly row: TreeRow;
  readonly onToggle: () => void;
  readonly onShowAll: () => void;
}

function Row({ row, onToggle, onShowAll }: RowProps): ReactNode {
  const { kind, name, text, isOpen, cutFrom } = row;
  if (kind === 'branch') {
    return (
      <button type="button" aria-expanded={isOpen} className="flex items-center gap-1 py-0.5" onClick={onToggle}>
        <ChevronRight aria-hidden className={cx('-ml-3.5 size-3', isOpen && 'rotate-90')} />
        <HostileText className="text-muted" text={name} /> <span className="text-muted">{text}</span>
      </button>
    );
  }
  return (
    <div className="flex items-baseline gap-2 py-0.5">
      <HostileText className="max-w-[45%] shrink-0 truncate text-muted" text={name} />
      <span
        className={cx('hostile min-w-0 flex-1', kind === 'value' && 'text-accent', kind === 'data' && 'text-medium')}
      >
        <HostileText text={text} />
        {cutFrom === undefined ? null : (
          <button type="button" className="ml-1 font-sans underline" onClick={onShowAll}>
            {kind === 'data' ? 'show it' : `… show all ${count(cutFrom)} characters`}
          </button>
        )}
      </span>
    </div>
  );
}
