import { lazy, Suspense, type ReactNode } from 'react';
import { HostileText } from '../text/hostile-text.tsx';
import { Badge, type Tone } from '../ui/badges.tsx';
import type { PartChange } from './example-changes.ts';

const TextDiff = lazy(() => import('./text-diff.tsx'));

const TONES: Readonly<Record<PartChange['change'], Tone>> = { added: 'ok', updated: 'low', removed: 'critical' };
const WORDS: Readonly<Record<PartChange['change'], string>> = {
  added: 'Added',
  updated: 'Changed',
  removed: 'Removed',
};

interface PartChangesProps {
  readonly changes: readonly PartChange[];
  readonly beforeLabel: string;
  readonly afterLabel: string;
}

/** Shows what differs between two versions of an Example, part by part. */
export function PartChanges({ changes, beforeLabel, afterLabel }: PartChangesProps): ReactNode {
  if (changes.length === 0) return <p className="text-muted">Nothing that is shown differs.</p>;
  return (
    <ul className="flex flex-col gap-3">
      {changes.map(({ label, change, before, after }) => (
        <li key={label} className="flex flex-col gap-1">
          <p className="flex items-center gap-2">
            <ChangeBadge change={change} /> <span className="font-medium">{label}</span>
          </p>
          <Suspense fallback={<p className="hostile text-muted">{<HostileText text={after.slice(0, 500)} />}</p>}>
            <TextDiff {...{ before, after, beforeLabel, afterLabel }} />
          </Suspense>
        </li>
      ))}
    </ul>
  );
}

/** Word for how something has changed. */
export function ChangeBadge({ change }: { readonly change: PartChange['change'] }): ReactNode {
  return <Badge tone={TONES[change]}>{WORDS[change]}</Badge>;
}
