import type { ReactNode } from 'react';
import { ApiError } from '@clew/sdk';
import { unplacedMessages } from './field-errors.ts';

interface FormProblemProps {
  readonly error: Error | null;
  /** Names of the fields that show their own messages. */
  readonly fields?: readonly string[];
}

/** Reasons for which a form was refused that no field of it shows, with the id to quote. */
export function FormProblem({ error, fields = [] }: FormProblemProps): ReactNode {
  if (error === null) return null;
  const messages = unplacedMessages(error, fields);
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div role="alert" className="text-critical">
      {messages.length === 0 ? <p>Please look at the marked fields.</p> : null}
      {messages.map((message) => (
        <p key={message}>{message}</p>
      ))}
      {requestId === undefined ? null : <p className="font-mono text-xs text-muted">{requestId}</p>}
    </div>
  );
}
