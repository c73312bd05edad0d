import { useMemo, useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { count } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Button } from '../ui/button.tsx';

const SHOWN = 200_000;

/** Conversation as the API answers it. */
export function RawView({ conversation }: { readonly conversation: Api.Conversation }): ReactNode {
  const text = useMemo(() => JSON.stringify(conversation, null, 2), [conversation]);
  const [isAll, setAll] = useState(false);
  const isCut = !isAll && text.length > SHOWN;
  return (
    <div tabIndex={0} role="region" aria-label="JSON" className="overflow-auto p-4 -outline-offset-2">
      <pre className="hostile font-mono text-xs">
        <HostileText text={isCut ? text.slice(0, SHOWN) : text} />
      </pre>
      {isCut ? <Button onPress={() => setAll(true)}>Show all {count(text.length)} characters</Button> : null}
    </div>
  );
}
