import { diffWordsWithSpace } from 'diff';
import type { ReactNode } from 'react';
import { VisibleText } from '../text/hostile-text.tsx';

interface WordDiffProps {
  readonly before: string;
  readonly after: string;
}

/** Text with the words that went and those that came; screen readers hear which is which. */
export default function WordDiff({ before, after }: WordDiffProps): ReactNode {
  return (
    <bdi className="hostile">
      {diffWordsWithSpace(before, after).map(({ value, added, removed }, at) => {
        if (added)
          return (
            <ins key={at} className="rounded-sm bg-ok-soft text-ok decoration-1">
              <VisibleText text={value} />
            </ins>
          );
        if (removed)
          return (
            <del key={at} className="rounded-sm bg-critical-soft text-critical">
              <VisibleText text={value} />
            </del>
          );
        return <VisibleText key={at} text={value} />;
      })}
    </bdi>
  );
}
