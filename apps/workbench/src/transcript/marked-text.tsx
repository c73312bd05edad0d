import type { ReactNode } from 'react';
import { VisibleText } from '../text/hostile-text.tsx';
import { segmentsOf, type MarkRange } from '../text/marks.ts';
import { cx } from '../ui/cx.ts';
import { KIND_LABELS } from './evidence.ts';
import type { TextRange } from './find.ts';

export interface MarkedTextProps {
  readonly text: string;
  readonly ranges: readonly MarkRange[];
  /** Evidence that one has come to. */
  readonly currentId: string | undefined;
  /** Places of the words that somebody looks for, and the one that one has come to. */
  readonly found?: readonly TextRange[];
  readonly foundAt?: number;
}

/** Text with its quotes marked; screen readers hear which kind a mark is. */
export function MarkedText({ text, ranges, currentId, found, foundAt }: MarkedTextProps): ReactNode {
  return segmentsOf(text, ranges, found).map(({ text: part, kind, evidenceIds, foundAt: begin }, at) => {
    if (kind === undefined && begin === undefined) return <VisibleText key={at} text={part} />;
    const isCurrentMatch = begin !== undefined && begin === foundAt;
    return (
      <mark
        key={at}
        aria-label={kind === undefined ? undefined : `${KIND_LABELS[kind]}: ${part}`}
        data-found={isCurrentMatch ? '' : undefined}
        className={cx(
          'mark',
          kind !== undefined && `mark-${kind}`,
          begin !== undefined && 'mark-found',
          isCurrentMatch && 'mark-found-current',
          currentId !== undefined && evidenceIds.includes(currentId) && 'mark-current',
        )}
      >
        <VisibleText text={part} />
      </mark>
    );
  });
}
