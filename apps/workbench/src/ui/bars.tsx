import type { ReactNode } from 'react';
import { DAY, shortDay, shortHour } from '../text/format.ts';
import { cx } from './cx.ts';

export interface Bar {
  readonly startMs: number;
  readonly value: number;
  /** Part of the value that is set off. */
  readonly marked?: number;
}

export interface BarsProps {
  readonly label: string;
  /** Sentence that says the same. */
  readonly summary: string;
  readonly bars: readonly Bar[];
  /** Length of each bar, with which the axis names where they begin and end; without it, bars are named days. */
  readonly intervalMs?: number;
  readonly valueName: string;
  readonly markedName?: string;
  readonly height?: number;
  readonly tone?: 'accent' | 'critical';
  /** Takes a bar that is pressed. */
  readonly onChoose?: (startMs: number) => void;
}

const WIDTH = 600;
const GAP = 2;

/** Bars over time, as a picture with a sentence and, for those who do not see it, a table. */
export function Bars(props: BarsProps): ReactNode {
  const { label, summary, bars, valueName, markedName, height = 72, tone = 'accent', onChoose } = props;
  const { intervalMs = 0 } = props;
  const nameOf = intervalMs % DAY === 0 ? shortDay : shortHour;
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const width = WIDTH / Math.max(1, bars.length);
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(2, (value / most) * (height - 2)));
  return (
    <figure aria-label={label} className="relative flex flex-col gap-1">
      <svg
        aria-hidden
        viewBox={`0 0 ${WIDTH} ${height}`}
        preserveAspectRatio="none"
        className="w-full border-b border-line-strong"
        style={{ height }}
      >
        {bars.map(({ startMs, value, marked = 0 }, at) => (
          <g
            key={startMs}
            onClick={() => onChoose?.(startMs)}
            className={cx(onChoose !== undefined && 'hover:opacity-70')}
          >
            <title>{`${nameOf(startMs)}: ${value} ${valueName}`}</title>
            <rect x={at * width} y={0} width={width} height={height} className="fill-transparent" />
            <rect
              x={at * width + GAP / 2}
              y={height - heightOf(value)}
              width={Math.max(1, width - GAP)}
              height={heightOf(value)}
              className={cx(
                tone === 'accent' ? 'fill-accent' : 'fill-critical',
                markedName !== undefined && 'opacity-45',
              )}
            />
            {marked === 0 ? null : (
              <rect
                x={at * width + GAP / 2}
                y={height - heightOf(marked)}
                width={Math.max(1, width - GAP)}
                height={heightOf(marked)}
                className="fill-critical"
              />
            )}
          </g>
        ))}
      </svg>
      <div aria-hidden className="flex justify-between text-xs text-muted tabular-nums">
        <span>{bars[0] === undefined ? '' : nameOf(bars[0].startMs)}</span>
        <span>{bars.length < 2 ? '' : nameOf((bars.at(-1)?.startMs ?? 0) + intervalMs)}</span>
      </div>
      <figcaption className="text-xs text-muted">{summary}</figcaption>
      <table className="sr-only">
        <caption>{label}</caption>
        <thead>
          <tr>
            <th>{intervalMs === 0 ? 'Day' : 'From'}</th>
            <th>{valueName}</th>
            {markedName === undefined ? null : <th>{markedName}</th>}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ startMs, value, marked }) => (
            <tr key={startMs}>
              <td>{nameOf(startMs)}</td>
              <td>{value}</td>
              {markedName === undefined ? null : <td>{marked ?? 0}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
