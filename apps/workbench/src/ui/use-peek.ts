import { useEffect } from 'react';
import { useCommands } from '../commands/use-commands.ts';
import type { ListState } from './selection.ts';

interface PeekOptions {
  /** Row of the address; undefined while the panel is closed. */
  readonly peekId: string | undefined;
  readonly state: ListState;
  readonly setState: (state: ListState) => void;
  readonly ids: readonly string[];
  /** Puts a row into the address, or takes it out. */
  readonly onPeek: (id: string | undefined) => void;
}

export interface Peek {
  /** Row that the panel shows; undefined while it is closed. */
  readonly shownId: string | undefined;
  readonly open: (() => void) | undefined;
  readonly close: () => void;
}

/** Time after which the address follows the cursor. */
const SETTLED_MS = 200;

/** Panel beside a list with the gist of the row under the cursor, which it follows. */
export function usePeek({ peekId, state, setState, ids, onPeek }: PeekOptions): Peek {
  const { cursor } = state;
  const isOpen = peekId !== undefined;
  const shownId = isOpen ? (cursor ?? peekId) : undefined;
  useEffect(() => {
    // An address that somebody sent names the row to be at.
    if (isOpen && cursor === null && ids.includes(peekId)) setState({ ...state, cursor: peekId });
  }, [isOpen, cursor, ids, peekId, setState, state]);
  useEffect(() => {
    if (shownId === peekId) return;
    const timer = setTimeout(() => onPeek(shownId), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [shownId, peekId, onPeek]);
  const [first] = ids;
  const target = cursor ?? first;
  const open =
    target === undefined
      ? undefined
      : () => {
          setState({ ...state, cursor: target });
          onPeek(target);
        };
  const close = () => onPeek(undefined);
  useCommands({ 'list.peek': isOpen ? close : open });
  return { shownId, open, close };
}
