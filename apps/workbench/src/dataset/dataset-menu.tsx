import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { datasetsKey } from '../examples/queries.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { TextArea, TextField } from '../ui/fields.tsx';
import { notify } from '../ui/notices.tsx';
import { ModalDialog } from '../ui/overlay.tsx';
import { counted } from '../text/format.ts';
import type { TabProps } from './tab-props.ts';

/** Renames a Dataset, and deletes it. */
export function DatasetMenu({ projectId, dataset }: Pick<TabProps, 'projectId' | 'dataset'>): ReactNode {
  const navigate = useNavigate();
  const [isNaming, setNaming] = useState(false);
  const remove = useChange(() => clew.datasets.delete(dataset.id, { project: projectId }), {
    invalidates: [datasetsKey(projectId)],
    onDone: () => {
      notify('The Dataset is deleted');
      void navigate({ to: '/p/$projectId/datasets', params: { projectId } });
    },
  });
  return (
    <>
      <Button look="quiet" onPress={() => setNaming(true)}>
        Rename…
      </Button>
      <ConfirmButton
        label="Delete…"
        title="Delete the Dataset?"
        confirmLabel="Delete for good"
        typed={dataset.name.trim()}
        isDisabled={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      >
        Its {counted(dataset.exampleCount, 'Example')} and all its versions go. Nobody can bring them back. What was
        exported stays where it is.
      </ConfirmButton>
      {isNaming ? <NameDialog {...{ projectId, dataset }} onClose={() => setNaming(false)} /> : null}
    </>
  );
}

interface NameProps extends Pick<TabProps, 'projectId' | 'dataset'> {
  readonly onClose: () => void;
}

function NameDialog({ projectId, dataset, onClose }: NameProps): ReactNode {
  const [name, setName] = useState(dataset.name);
  const [description, setDescription] = useState(dataset.description ?? '');
  const change = useChange(
    (body: Api.UpdateDatasetData['body']) => clew.datasets.update(dataset.id, body, { project: projectId }),
    { invalidates: [datasetsKey(projectId)], onDone: onClose, onError: () => undefined },
  );
  const errors = fieldErrors(change.error);
  const save = () => {
    if (name.trim() === '') return;
    const text = description.trim();
    change.mutate({ name: name.trim(), description: text === '' ? null : text });
  };
  return (
    <ModalDialog
      title="Name of the Dataset"
      isOpen
      onClose={onClose}
      closeLabel="Cancel"
      actions={
        <Button look="main" isDisabled={change.isPending || name.trim() === ''} onPress={save}>
          Save
        </Button>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField autoFocus label="Name" value={name} maxLength={200} error={errors.get('name')} onChange={setName} />
        <TextArea
          label="What it is for"
          value={description}
          maxLength={10_000}
          error={errors.get('description')}
          onChange={setDescription}
        />
        {errors.size === 0 ? <ErrorNote error={change.error} /> : null}
      </form>
    </ModalDialog>
  );
}
