import type { ReactNode } from 'react';
import { VisibleText } from '../text/hostile-text.tsx';
import { useWordDiff } from './use-word-diff.ts';
import type { DiffPart } from './word-diff.ts';

interface TextDiffProps {
  readonly before: string;
  readonly after: string;
  readonly beforeLabel: string;
  readonly afterLabel: string;
}

/** Two texts beside each other, with the words marked that only one of them has. */
export default function TextDiff({ before, after, beforeLabel, afterLabel }: TextDiffProps): ReactNode {
  const { diff, isPending } = useWordDiff(before, after);
  return (
    <div
      aria-busy={isPending}
      className="grid gap-px overflow-hidden rounded-md border border-line bg-line sm:grid-cols-2"
    >
      <Side label={beforeLabel} parts={diff.before} isBefore />
      <Side label={afterLabel} parts={diff.after} isBefore={false} />
    </div>
  );
}

interface SideProps {
  readonly label: string;
  readonly parts: readonly DiffPart[];
  readonly isBefore: boolean;
}

function Side({ label, parts, isBefore }: SideProps): ReactNode {
  const isEmpty = parts.every(({ text }) => text === '');
  return (
    <div className="min-w-0 bg-surface px-3 py-2">
      <p className="mb-1 text-xs text-muted">{label}</p>
      {isEmpty ? (
        <p className="text-muted">Nothing</p>
      ) : (
        <p className="hostile text-sm">
          {parts.map(({ text, isOwn }, at) =>
            !isOwn ? (
              <VisibleText key={at} text={text} />
            ) : isBefore ? (
              <del key={at} className="rounded-sm bg-critical-soft decoration-critical">
                <VisibleText text={text} />
              </del>
            ) : (
              <ins key={at} className="rounded-sm bg-ok-soft decoration-ok">
                <VisibleText text={text} />
              </ins>
            ),
          )}
        </p>
      )}
    </div>
  );
}
