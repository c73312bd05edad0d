import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { counted } from '../text/format.ts';
import { visibleText } from '../text/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { CheckField, SelectField, TextArea } from '../ui/fields.tsx';
import { FormError } from '../ui/form-error.tsx';
import { notify } from '../ui/notices.tsx';
import { ModalDialog } from '../ui/overlay.tsx';
import { messageOf } from '../ui/problem.ts';
import { exampleOf, type Answered } from './chat.ts';

const MANY = 500;

const datasetsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['datasets', projectId, 'names'],
    queryFn: ({ signal }) => clew.datasets.list({ project: projectId, signal }).toArray({ max: MANY }),
  });

interface DialogProps {
  readonly projectId: string;
  readonly saved: Answered;
  readonly onClose: () => void;
}

/** Form that keeps an answer in a Dataset. */
export function SaveDialog({ projectId, saved, onClose }: DialogProps): ReactNode {
  const datasets = useQuery(datasetsQuery(projectId));
  const [datasetId, setDatasetId] = useState('');
  const [expected, setExpected] = useState(saved.expected);
  const [isRejecting, setRejecting] = useState(false);
  const chosen = datasetId === '' ? (datasets.data?.[0]?.id ?? '') : datasetId;
  const save = useChange(
    () => {
      const example = exampleOf({ ...saved, expected, rejected: isRejecting ? saved.rejected : undefined });
      return clew.examples.create(chosen, example, { project: projectId });
    },
    {
      invalidates: [['datasets', projectId]],
      onDone: () => {
        notify('Saved as an Example');
        onClose();
      },
      onError: () => undefined,
    },
  );
  return (
    <ModalDialog
      title="Save as Example"
      isOpen
      isWide
      onClose={onClose}
      closeLabel="Cancel"
      actions={
        <Button
          look="main"
          isDisabled={chosen === '' || expected.trim() === '' || save.isPending}
          onPress={() => save.mutate(undefined)}
        >
          Save
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        {datasets.data?.length === 0 ? (
          <p className="text-medium">The project has no Dataset yet. Make one first.</p>
        ) : (
          <SelectField
            label="Dataset"
            value={chosen}
            error={datasets.error === null ? undefined : messageOf(datasets.error)}
            options={(datasets.data ?? []).map(({ id, name }) => ({ id, label: visibleText(name) }))}
            onChange={setDatasetId}
          />
        )}
        <TextArea
          label="Expected answer"
          rows={8}
          value={expected}
          hint={`Its input is what came before: ${counted(saved.messages.length, 'message')}.`}
          onChange={setExpected}
        />
        {saved.rejected === undefined || saved.rejected === '' ? null : (
          <CheckField
            label="Keep the other model’s answer as the rejected one"
            isChecked={isRejecting}
            onChange={setRejecting}
          />
        )}
        <FormError error={save.error} />
      </div>
    </ModalDialog>
  );
}
