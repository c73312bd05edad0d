import type { ReactNode } from 'react';
import { ApiError } from '@clew/sdk';

/** Error of a form or of a part of a page, with the id to quote. */
export function ErrorNote({ error }: { readonly error: Error | null }): ReactNode {
  if (error === null) return null;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div role="alert" className="rounded-md bg-critical-soft px-3 py-2 text-critical">
      <p className="break-words">{error.message}</p>
      {requestId === undefined ? null : <p className="mt-0.5 font-mono text-xs">{requestId}</p>}
    </div>
  );
}
