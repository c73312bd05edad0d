import type { ReactNode } from 'react';
import { cx } from './cx.ts';

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly label: ReactNode }[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
}

/** Parts of a page, one of which is shown. The chosen one belongs into the address. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose }: TabsProps<Id>): ReactNode {
  return (
    <nav aria-label={label} className="flex gap-4 overflow-x-auto border-b border-line px-4">
      {tabs.map(({ id, label: name }) => (
        <button
          key={id}
          type="button"
          aria-current={id === chosen ? 'page' : undefined}
          className={cx(
            '-mb-px h-9 border-b-2 whitespace-nowrap -outline-offset-2',
            id === chosen ? 'border-accent font-medium' : 'border-transparent text-muted hover:text-ink',
          )}
          onClick={() => onChoose(id)}
        >
          {name}
        </button>
      ))}
    </nav>
  );
}
