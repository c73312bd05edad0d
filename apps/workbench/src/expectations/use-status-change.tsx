import { useState } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { useCommands } from '../commands/use-commands.ts';
import { Keys } from '../ui/button.tsx';
import { notify } from '../ui/notices.tsx';
import { expectationsKey } from './queries.ts';

type Status = Api.Expectation['status'];

const TEXTS: Readonly<Record<Status, string>> = {
  active: 'It is checked from now on.',
  proposed: 'It waits in the queue.',
  off: 'It is off, and withdrawn from the conversations that showed it.',
};

/** Switches Expectations on and off, and takes the last change back with the key for that. */
export function useStatusChange(projectId: string): (expectation: Api.Expectation, next: Status) => void {
  const [last, setLast] = useState<{ readonly id: string; readonly status: Status }>();
  const { mutate } = useChange(
    ({ id, status }: { id: string; status: Status }) =>
      clew.expectations.update(id, { status }, { project: projectId }),
    { invalidates: [expectationsKey(projectId)] },
  );
  useCommands({
    'action.undo':
      last === undefined
        ? undefined
        : () => {
            mutate(last);
            setLast(undefined);
            notify('It is as it was');
          },
  });
  return ({ id, status }, next) => {
    setLast({ id, status });
    mutate({ id, status: next });
    notify(
      <>
        {TEXTS[next]} <Keys command="action.undo" /> undoes it.
      </>,
    );
  };
}
