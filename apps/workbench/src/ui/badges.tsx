import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { sentence } from '../text/format.ts';

export type Tone = 'critical' | 'high' | 'medium' | 'low' | 'info' | 'ok' | 'suspect';

const TONES: Readonly<Record<Tone, string>> = {
  critical: 'bg-critical-soft text-critical',
  high: 'bg-high-soft text-high',
  medium: 'bg-medium-soft text-medium',
  low: 'bg-low-soft text-low',
  info: 'bg-info-soft text-muted',
  ok: 'bg-ok-soft text-ok',
  suspect: 'bg-suspect-soft text-suspect',
};

/** Short word on a coloured ground. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  return (
    <span
      className={cx('inline-flex h-5 items-center rounded px-1.5 text-xs font-medium whitespace-nowrap', TONES[tone])}
    >
      {children}
    </span>
  );
}

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';
const LEVELS: Readonly<Record<Severity, number>> = { critical: 4, high: 3, medium: 2, low: 1, info: 0 };
const BARS: Readonly<Record<Severity, string>> = {
  critical: 'bg-critical',
  high: 'bg-high',
  medium: 'bg-medium',
  low: 'bg-low',
  info: 'bg-info',
};

/** Severity as a word beside bars, so that colour is not all that tells it. */
export function SeverityMark({ severity }: { readonly severity: Severity }): ReactNode {
  const level = LEVELS[severity];
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span aria-hidden className="flex h-3 items-end gap-px">
        {HEIGHTS.map((height, at) => (
          <span
            key={height}
            className={cx('w-[3px] rounded-[1px]', height, at < level ? BARS[severity] : 'bg-line-strong')}
          />
        ))}
      </span>
      {sentence(severity)}
    </span>
  );
}

const HEIGHTS = ['h-1.5', 'h-2', 'h-2.5', 'h-3'];

const STATUS_TONES: Readonly<Record<string, Tone>> = {
  unreviewed: 'low',
  confirmed: 'high',
  dismissed: 'info',
  unresolved: 'info',
  awaiting_verification: 'medium',
  resolved: 'ok',
  regressed: 'critical',
};

/** Review or resolution status. */
export function StatusBadge({ status }: { readonly status: string }): ReactNode {
  return <Badge tone={STATUS_TONES[status] ?? 'info'}>{sentence(status)}</Badge>;
}
