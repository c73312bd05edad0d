import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { CollectionPreview } from '../collection/preview-view.tsx';
import { datasetsKey } from '../examples/queries.ts';
import { INPUT_TYPES } from '../imports/import-fields.ts';
import { ImportProgress } from '../imports/import-progress.tsx';
import { ImportReport } from '../imports/import-report.tsx';
import { ImportSetup } from '../imports/import-setup.tsx';
import { useImport } from '../imports/use-import.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { notifyError } from '../ui/notices.tsx';
import { ModalDialog } from '../ui/overlay.tsx';
import { bodyOf, isComplete, NEW_DATASET, STEPS, type NewDataset, type Step } from './new-dataset.ts';
import { NameStep, SourceStep, type ChosenFile } from './new-dataset-steps.tsx';

interface DialogProps {
  readonly projectId: string;
  readonly onClose: () => void;
}

const TITLES: Readonly<Record<Step, string>> = {
  name: 'New Dataset, 1 of 3: what it is',
  source: 'New Dataset, 2 of 3: where its Examples come from',
  preview: 'New Dataset, 3 of 3: a look at what it will hold',
};

/** Makes a Dataset in three steps. */
export function NewDatasetDialog({ projectId, onClose }: DialogProps): ReactNode {
  const [step, setStep] = useState<Step>('name');
  const [draft, setDraft] = useState(NEW_DATASET);
  const [chosen, setChosen] = useState<ChosenFile>();
  const change = (part: Partial<NewDataset>) => setDraft((before) => ({ ...before, ...part }));
  const making = useMaking(projectId, draft, chosen, onClose);
  const at = STEPS.indexOf(step);
  const isMade = making.dataset !== undefined;
  const next = () => {
    if (!isComplete(step, draft)) return;
    setStep(STEPS[at + 1] ?? step);
    // Only a Dataset that exists can be asked what it would collect.
    if (step === 'source' && draft.source === 'collection' && !isMade) making.make();
  };
  return (
    <ModalDialog
      title={TITLES[step]}
      isOpen
      isWide
      onClose={onClose}
      closeLabel={isMade ? 'Close' : 'Cancel'}
      actions={
        <>
          {at > 0 && !isMade ? <Button onPress={() => setStep(STEPS[at - 1] ?? step)}>Back</Button> : null}
          {step === 'preview' ? (
            <FinalButtons {...{ draft, making }} />
          ) : (
            <Button look="main" isDisabled={!isComplete(step, draft)} onPress={next}>
              Next
            </Button>
          )}
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (step !== 'preview') next();
        }}
      >
        {step === 'name' ? <NameStep {...{ draft, change }} errors={fieldErrors(making.error)} /> : null}
        {step === 'source' ? <SourceStep {...{ draft, change, chosen, setChosen }} /> : null}
        {step === 'preview' ? <PreviewStep {...{ projectId, draft, chosen, setChosen, making }} /> : null}
      </form>
    </ModalDialog>
  );
}

interface Making {
  readonly make: () => void;
  readonly begin: () => void;
  readonly open: () => void;
  readonly dataset: Api.Dataset | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly run: ReturnType<typeof useImport>;
}

function useMaking(projectId: string, draft: NewDataset, chosen: ChosenFile | undefined, onClose: () => void): Making {
  const navigate = useNavigate();
  const run = useImport(projectId);
  const open = (datasetId: string, tab?: 'collection') => {
    onClose();
    void navigate({
      to: '/p/$projectId/datasets/$datasetId',
      params: { projectId, datasetId },
      search: tab === undefined ? {} : { tab },
    });
  };
  const create = useChange(
    (body: Api.CreateDatasetData['body']) => clew.datasets.create(body, { project: projectId }),
    {
      invalidates: [datasetsKey(projectId)],
      onError: () => undefined,
      onDone: ({ id }) => {
        if (draft.source === 'file' && chosen !== undefined) run.start({ datasetId: id, ...chosen });
        if (draft.source !== 'empty') return;
        onClose();
        void navigate({
          to: '/p/$projectId/datasets/$datasetId/examples/$exampleId',
          params: { projectId, datasetId: id, exampleId: 'new' },
          search: { type: draft.inputType },
        });
      },
    },
  );
  const dataset = create.data;
  const begin = useChange(
    (datasetId: string) => clew.datasets.update(datasetId, { collectionEnabled: true }, { project: projectId }),
    { invalidates: [datasetsKey(projectId)], onDone: ({ id }) => open(id), onError: notifyError },
  );
  return {
    make: () => create.mutate(bodyOf(draft)),
    begin: () => {
      if (dataset !== undefined) begin.mutate(dataset.id);
    },
    open: () => {
      if (dataset !== undefined) open(dataset.id, draft.source === 'collection' ? 'collection' : undefined);
    },
    dataset,
    error: create.error,
    isPending: create.isPending || begin.isPending,
    run,
  };
}

function FinalButtons({ draft, making }: { readonly draft: NewDataset; readonly making: Making }): ReactNode {
  const { dataset, isPending, run } = making;
  if (dataset === undefined) {
    const label = { empty: 'Make it', file: 'Make it and import', collection: 'Make it' }[draft.source];
    return (
      <Button look="main" isDisabled={isPending} onPress={making.make}>
        {label}
      </Button>
    );
  }
  if (draft.source === 'collection') {
    return (
      <>
        <Button onPress={making.open}>Leave it off for now</Button>
        <Button look="main" isDisabled={isPending} onPress={making.begin}>
          Begin to collect
        </Button>
      </>
    );
  }
  return (
    <Button look="main" isDisabled={run.isRunning} onPress={making.open}>
      Open the Dataset
    </Button>
  );
}

interface PreviewStepProps {
  readonly projectId: string;
  readonly draft: NewDataset;
  readonly chosen: ChosenFile | undefined;
  readonly setChosen: (chosen: ChosenFile) => void;
  readonly making: Making;
}

function PreviewStep({ projectId, draft, chosen, setChosen, making }: PreviewStepProps): ReactNode {
  const { dataset, error, run } = making;
  if (draft.source === 'empty') {
    return (
      <>
        <p>
          <bdi className="font-medium">{draft.name}</bdi> begins empty. The next page is the form of its first Example,
          with an input of the type {INPUT_TYPES[draft.inputType].label}.
        </p>
        <ErrorNote error={error} />
      </>
    );
  }
  if (draft.source === 'file') {
    if (run.report !== undefined) return <ImportReport report={run.report} />;
    return (
      <>
        {chosen === undefined ? null : (
          <ImportSetup
            head={chosen.head}
            plan={chosen.plan}
            inputType={draft.inputType}
            onPlan={(plan) => setChosen({ ...chosen, plan })}
          />
        )}
        {run.isRunning ? <ImportProgress exampleCount={run.exampleCount} /> : null}
        <ErrorNote error={error ?? run.error} />
      </>
    );
  }
  return (
    <>
      <ErrorNote error={error} />
      {dataset === undefined ? (
        error === null ? (
          <p className="text-muted">The Dataset is being made…</p>
        ) : null
      ) : (
        <>
          <p className="text-muted">
            The Dataset is made, and collects nothing yet. This is what it would take of what there is; nothing of it is
            stored.
          </p>
          <CollectionPreview {...{ projectId }} datasetId={dataset.id} revision="new" />
        </>
      )}
    </>
  );
}
