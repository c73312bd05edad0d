import { ApiError } from '@clew/sdk';
import type { ReactNode } from 'react';
import { messageOf } from './problem.ts';

interface FormErrorProps {
  readonly error: Error | null;
  /** Whether the fields of the form already show what is wrong. */
  readonly taken?: boolean;
}

/** Error of a form that is about none of its fields, with the id to quote. */
export function FormError({ error, taken = false }: FormErrorProps): ReactNode {
  if (error === null || taken) return null;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <p role="alert" className="text-sm break-words text-critical">
      {messageOf(error)}
      {requestId === undefined ? null : <span className="block font-mono text-xs text-muted">{requestId}</span>}
    </p>
  );
}
