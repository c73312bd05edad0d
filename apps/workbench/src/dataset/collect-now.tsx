import { useState, type ReactNode } from 'react';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { datasetsKey } from '../examples/queries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { TextField } from '../ui/fields.tsx';
import { notify } from '../ui/notices.tsx';
import type { TabProps } from './tab-props.ts';

/** Has one conversation looked at now. */
export function CollectNow({ projectId, dataset, onSearch }: TabProps): ReactNode {
  const [typed, setTyped] = useState('');
  const id = typed.trim();
  const collect = useChange(
    (conversationId: string) =>
      clew.datasets.collection.collect(dataset.id, { conversationIds: [conversationId] }, { project: projectId }),
    {
      invalidates: [datasetsKey(projectId)],
      onError: () => undefined,
      onDone: ({ unknown, conversationIds: [found] }) => {
        if (unknown.length > 0 || found === undefined) return;
        setTyped('');
        onSearch({ tab: 'collection', conversationId: found });
        notify('It is being looked at; the decision below tells what came of it');
      },
    },
  );
  const isUnknown = collect.data !== undefined && collect.data.unknown.length > 0 && id === collect.variables;
  const errors = fieldErrors(collect.error);
  const error = isUnknown ? 'The project has no such conversation' : [...errors.values()][0];
  return (
    <form
      className="flex flex-col gap-2 pt-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (id !== '') collect.mutate(id);
      }}
    >
      <div className="flex items-end gap-2">
        <TextField
          className="w-96 max-w-full"
          label="Collect one now"
          isMono
          value={typed}
          maxLength={512}
          placeholder="Id of a conversation"
          error={error}
          onChange={setTyped}
        />
        <Button type="submit" className={error === undefined ? '' : 'mb-5'} isDisabled={id === '' || collect.isPending}>
          Look at it
        </Button>
      </div>
      {errors.size > 0 ? null : <ErrorNote error={collect.error} />}
    </form>
  );
}
