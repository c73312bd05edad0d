import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';

/** Gives the focus to an element, or to what is over the page, or to the page, if what had it has gone. */
function keepFocus(preferred?: Element | null): void {
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const around = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.querySelector('main');
    const next = preferred?.isConnected === true && preferred !== document.body ? preferred : around;
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  });
}

/**
 * Gives the focus back when the dialog in which it stands goes: to what had it before, else to the page. React Aria does
 * so too, but too early where an answer of the API ends the dialog: the page is still inert then, and takes no focus.
 */
export function FocusReturn(): ReactNode {
  const [opener] = useState(() => document.activeElement);
  useEffect(() => () => keepFocus(opener), [opener]);
  return null;
}

/** Keeps the focus on the page when something goes that has it, such as a button with the end of its deed. */
export function useKeptFocus(): RefObject<boolean> {
  const hasFocus = useRef(false);
  useEffect(
    () => () => {
      if (hasFocus.current) keepFocus();
    },
    [],
  );
  return hasFocus;
}
