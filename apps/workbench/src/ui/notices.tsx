import { useSyncExternalStore, type ReactNode } from 'react';
import { ApiError } from '@clew/sdk';
import { Button } from './button.tsx';
import { messageOf } from './problem.ts';

interface Notice {
  readonly id: number;
  readonly content: ReactNode;
  readonly isProblem: boolean;
}

const SHOWN_MS = 8_000;
const listeners = new Set<() => void>();
let notices: readonly Notice[] = [];
let lastId = 0;

function setNotices(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

/** Says something below the page for a while; a problem stays until it is closed. */
export function notify(content: ReactNode, { isProblem = false } = {}): void {
  lastId += 1;
  const id = lastId;
  setNotices([...notices.slice(-3), { id, content, isProblem }]);
  if (!isProblem) setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Says that something did not work, with the id to quote. */
export function notifyError(error: Error): void {
  notify(<ErrorLine error={error} />, { isProblem: true });
}

function dismiss(id: number): void {
  setNotices(notices.filter((notice) => notice.id !== id));
}

function ErrorLine({ error }: { readonly error: Error }): ReactNode {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <>
      {messageOf(error)}
      {requestId === undefined ? null : <span className="mt-0.5 block font-mono text-xs text-muted">{requestId}</span>}
    </>
  );
}

/** Place of the notices. */
export function Notices(): ReactNode {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 z-50 flex w-96 max-w-[90vw] flex-col gap-2"
    >
      {shown.map(({ id, content, isProblem }) => (
        <div
          key={id}
          className={`pointer-events-auto flex items-start gap-3 rounded-lg border bg-raised px-3 py-2 text-sm shadow-xl ${isProblem ? 'border-critical' : 'border-line-strong'}`}
        >
          <div className="min-w-0 flex-1 py-0.5">{content}</div>
          <Button look="quiet" className="h-6 px-1.5" aria-label="Close" onPress={() => dismiss(id)}>
            ×
          </Button>
        </div>
      ))}
    </div>
  );
}
