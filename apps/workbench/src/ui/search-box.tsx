import { Search } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useCommands } from '../commands/use-commands.ts';
import { Keys } from './button.tsx';

export interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const WAIT_MS = 300;

/** Field that filters a list by words, shortly after one has stopped typing. */
export function SearchBox({ label, value, onChange }: SearchBoxProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => latest.current(typed), WAIT_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  useCommands({ 'filter.focus': () => field.current?.focus() });
  return (
    <label className="flex h-7 w-64 items-center gap-1.5 rounded-md border border-line-strong bg-surface px-2 focus-within:border-focus">
      <Search aria-hidden className="size-3.5 text-muted" />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={200}
        className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-muted"
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' || event.key === 'Enter') {
            latest.current(typed);
            event.currentTarget.blur();
          }
        }}
      />
      <Keys command="filter.focus" />
    </label>
  );
}
