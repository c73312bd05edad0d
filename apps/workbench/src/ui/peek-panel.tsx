import { PanelRight, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Keys, Tip } from './button.tsx';
import { commandOf } from '../commands/table.ts';
import type { Peek } from './use-peek.ts';

interface PanelProps {
  /** Kind of thing that is shown. */
  readonly title: string;
  readonly onClose: () => void;
  /** Link to its page. */
  readonly link: ReactNode;
  readonly children: ReactNode;
}

/** Button that opens the panel at the row under the cursor, or closes it. */
export function PeekButton({ peek: { shownId, open, close } }: { readonly peek: Peek }): ReactNode {
  return (
    <Tip
      text={
        <>
          {commandOf('list.peek').title} <Keys command="list.peek" />
        </>
      }
    >
      <Button
        look="quiet"
        className="ml-auto h-6 text-xs"
        aria-pressed={shownId !== undefined}
        isDisabled={open === undefined}
        onPress={shownId === undefined ? open : close}
      >
        <PanelRight aria-hidden className="size-3.5" />
        Peek <Keys command="list.peek" />
      </Button>
    </Tip>
  );
}

/** Side of a list with the gist of one of its rows. The focus stays in the list, whose keys go on. */
export function PeekPanel({ title, onClose, link, children }: PanelProps): ReactNode {
  return (
    <section
      aria-label={`${title} at a glance`}
      className="flex w-[28rem] shrink-0 flex-col border-l border-line bg-canvas max-lg:h-1/2 max-lg:w-full max-lg:border-t max-lg:border-l-0"
    >
      <header className="flex h-8 shrink-0 items-center gap-1.5 border-b border-line pr-1.5 pl-4 text-xs text-muted">
        {title} at a glance
        <span className="ml-auto flex items-center gap-1.5">
          {link}
          <Button look="quiet" className="h-6 px-1.5 text-xs" onPress={onClose}>
            <X aria-hidden className="size-3.5" />
            Close <Keys command="page.up" />
          </Button>
        </span>
      </header>
      <div tabIndex={0} role="region" aria-label={title} className="min-h-0 flex-1 overflow-auto -outline-offset-2">
        {children}
      </div>
    </section>
  );
}
