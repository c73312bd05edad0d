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
      className={cx(
        'inline-block h-5 max-w-full truncate rounded px-1.5 align-middle text-xs/5 font-medium',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';

/** Severity as a word beside bars (styles.css), so that colour is not all that tells it. */
export function SeverityMark({ severity }: { readonly severity: Severity }): ReactNode {
  return (
    <span data-severity={severity} className="severity whitespace-nowrap">
      {sentence(severity)}
    </span>
  );
}

/** Cell of a list that is such a mark as a whole. */
export const SEVERITY_CELL = {
  className: 'severity',
  attributesOf: ({ severity }: { readonly severity: Severity }) => ({ 'data-severity': severity }),
  cell: ({ severity }: { readonly severity: Severity }) => sentence(severity),
};

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
