import type { ReactNode } from 'react';
import { VisibleText } from '../text/hostile-text.tsx';
import { segmentsOf, type MarkRange } from '../text/marks.ts';
import { cx } from '../ui/cx.ts';
import { KIND_LABELS } from './evidence.ts';

export interface MarkedTextProps {
  readonly text: string;
  readonly ranges: readonly MarkRange[];
  /** Evidence that one has come to. */
  readonly currentId: string | undefined;
}

/** Text with its quotes marked; screen readers hear which kind a mark is. */
export function MarkedText({ text, ranges, currentId }: MarkedTextProps): ReactNode {
  return segmentsOf(text, ranges).map(({ text: part, kind, evidenceIds }, at) =>
    kind === undefined ? (
      <VisibleText key={at} text={part} />
    ) : (
      <mark
        key={at}
        aria-label={`${KIND_LABELS[kind]}: ${part}`}
        className={cx(
          'mark',
          `mark-${kind}`,
          currentId !== undefined && evidenceIds.includes(currentId) && 'mark-current',
        )}
      >
        <VisibleText text={part} />
      </mark>
    ),
  );
}
