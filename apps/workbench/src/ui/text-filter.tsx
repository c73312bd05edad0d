import { ChevronDown, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { visibleText } from '../text/visible-text.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import { PopoverButton } from './popover-button.tsx';

interface TextFilterProps {
  readonly title: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Filter whose value is typed. */
export function TextFilter({ title, value, onChange }: TextFilterProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState(value ?? '');
  const isSet = value !== undefined;
  return (
    <span className="inline-flex">
      <PopoverButton
        title={title}
        isOpen={isOpen}
        onOpenChange={(open) => {
          setTyped(value ?? '');
          setOpen(open);
        }}
        button={{
          className: cx(isSet && 'rounded-r-none border-accent text-accent'),
          children: (
            <>
              <span className="max-w-48 truncate">{isSet ? `${title}: ${visibleText(value)}` : title}</span>
              {isSet ? null : <ChevronDown aria-hidden className="size-3.5 text-muted" />}
            </>
          ),
        }}
        className="p-2"
      >
        <form
          className="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            setOpen(false);
            onChange(typed.trim() === '' ? undefined : typed.trim());
          }}
        >
          <input
            autoFocus
            aria-label={title}
            value={typed}
            maxLength={256}
            className="h-7 w-56 rounded-md border border-line-strong bg-surface px-2"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit">Filter</Button>
        </form>
      </PopoverButton>
      {isSet ? (
        <Button
          className="rounded-l-none border-l-0 border-accent px-1.5 text-accent"
          aria-label={`Clear ${title}`}
          onPress={() => onChange(undefined)}
        >
          <X aria-hidden className="size-3.5" />
        </Button>
      ) : null}
    </span>
  );
}
