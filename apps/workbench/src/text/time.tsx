import type { ReactNode } from 'react';
import { fullTime, relativeTime } from './format.ts';

/** Time relative to now; the title has it in full. */
export function Time({ atMs, className }: { readonly atMs: number; readonly className?: string }): ReactNode {
  return (
    <time dateTime={new Date(atMs).toISOString()} title={fullTime(atMs)} className={className}>
      {relativeTime(atMs, Date.now())}
    </time>
  );
}
