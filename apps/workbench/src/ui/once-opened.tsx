import { Suspense, useState, type ReactNode } from 'react';

export interface OnceOpenedProps {
  readonly isOpen: boolean;
  /** Overlay whose code comes when it is rendered for the first time. */
  readonly children: ReactNode;
  /** Stands in for the overlay until its code is there. */
  readonly meanwhile?: ReactNode;
}

/** Renders an overlay from its first opening on, so that it can also be seen to close. */
export function OnceOpened({ isOpen, children, meanwhile = null }: OnceOpenedProps): ReactNode {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen ? <Suspense fallback={meanwhile}>{children}</Suspense> : null;
}
