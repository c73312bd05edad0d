import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { FirstUse } from '../ui/states.tsx';

/** Feedback that a conversation was given. */
export function ScoresView({ conversation: { scores } }: { readonly conversation: Api.Conversation }): ReactNode {
  if (scores.length === 0) {
    return (
      <FirstUse title="No scores yet">Feedback of users and evaluators, sent through the API, is shown here.</FirstUse>
    );
  }
  return (
    <ul className="overflow-auto p-4">
      {scores.map(({ id, name, value, comment, source, createdAt }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-3 border-b border-line py-2">
          <HostileText className="font-medium" text={name} />
          <HostileText className="tabular-nums" text={String(value)} />
          {comment === undefined ? null : <HostileText className="text-muted" text={comment} />}
          <span className="ml-auto text-xs text-muted">
            {source}, <Time atMs={createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
