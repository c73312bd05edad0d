import { ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import type { NewRows } from './use-new-rows.ts';
import { CommandButton, Keys } from './button.tsx';

interface PillProps {
  readonly newRows: NewRows | undefined;
  /** Hears that they are in the list. */
  readonly onShown: () => void;
}

/** Says over the head of a list how many rows have come since it was read, and brings them when it is pressed. */
export function NewRowsPill({ newRows, onShown }: PillProps): ReactNode {
  return (
    <span role="status" className="pointer-events-none absolute inset-x-0 top-0.5 z-20 flex justify-center">
      {newRows === undefined ? null : (
        <CommandButton
          command="list.new-rows"
          look="main"
          className="pointer-events-auto h-7 rounded-full text-xs shadow-md"
          isDisabled={newRows.isBeingRead}
          onPress={() => void newRows.show().then(onShown)}
        >
          <ArrowUp aria-hidden className="size-3.5" />
          {newRows.text}
          <Keys command="list.new-rows" />
        </CommandButton>
      )}
    </span>
  );
}
