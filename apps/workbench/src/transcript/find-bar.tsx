import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useCommands } from '../commands/use-commands.ts';
import { count, countAtLeast } from '../text/format.ts';
import { Button, Keys } from '../ui/button.tsx';
import { isEnough } from './find.ts';
import type { Find } from './use-find.ts';

interface FindBarProps {
  readonly find: Find;
  /** Gives the focus back to the transcript. */
  readonly onLeave: () => void;
}

/** Field that finds words in a transcript and walks from one place to the next. */
export function FindBar({ find, onLeave }: FindBarProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const { words, setWords, total, walk } = find;
  useCommands({ 'filter.focus': () => field.current?.select() });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') walk(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') {
      setWords('');
      onLeave();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div role="search" aria-label="Transcript" className="flex min-w-0 items-center gap-1">
      <label className="flex h-7 w-56 min-w-0 items-center gap-1.5 rounded-md border border-line-strong bg-surface px-2 focus-within:border-focus">
        <Search aria-hidden className="size-3.5 shrink-0 text-muted" />
        <input
          ref={field}
          type="search"
          aria-label="Find in the transcript"
          placeholder="Find in the transcript"
          value={words}
          maxLength={200}
          className="min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-muted"
          onChange={(event) => setWords(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Keys command="filter.focus" />
      </label>
      {total < 2 ? null : (
        <>
          <Button look="quiet" className="px-1" aria-label="Previous place" onPress={() => walk(-1)}>
            <ChevronUp aria-hidden className="size-3.5" />
          </Button>
          <Button look="quiet" className="px-1" aria-label="Next place" onPress={() => walk(1)}>
            <ChevronDown aria-hidden className="size-3.5" />
          </Button>
        </>
      )}
      <span aria-live="polite" className="text-xs whitespace-nowrap text-muted tabular-nums">
        {placesText(find)}
      </span>
    </div>
  );
}

function placesText({ words, at, total, isCut }: Find): string {
  if (!isEnough(words)) return '';
  return total === 0 ? 'Not found' : `${count(at + 1)} of ${countAtLeast(total, isCut)}`;
}
