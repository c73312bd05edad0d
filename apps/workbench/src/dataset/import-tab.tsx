import { useState, type ReactNode } from 'react';
import { planOf, type ImportPlan } from '../imports/import-plan.ts';
import type { FileHead } from '../imports/import-preview.ts';
import { INPUT_TYPE_IDS, INPUT_TYPES, type InputType } from '../imports/import-fields.ts';
import { ImportProgress } from '../imports/import-progress.tsx';
import { ImportReport } from '../imports/import-report.tsx';
import { ImportSetup } from '../imports/import-setup.tsx';
import { readHead } from '../imports/read-head.ts';
import { useImport } from '../imports/use-import.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SelectField } from '../ui/fields.tsx';
import { FileDrop } from '../ui/file-drop.tsx';
import { notifyError } from '../ui/notices.tsx';
import type { TabProps } from './tab-props.ts';

interface Chosen {
  readonly file: File;
  readonly head: FileHead;
  readonly plan: ImportPlan;
}

/** Import of a file: chosen, looked at, sent, and what came of it. */
export default function ImportTab({ projectId, dataset, onSearch }: TabProps): ReactNode {
  const [chosen, setChosen] = useState<Chosen>();
  const [inputType, setInputType] = useState<InputType>('text');
  const run = useImport(projectId);
  const take = (file: File) =>
    void readHead(file).then((head) => {
      run.reset();
      setChosen({ file, head, plan: planOf(head, inputType) });
    }, notifyError);
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-4 px-4 py-4">
      <FileDrop
        label="File with Examples"
        accept=".csv,.tsv,.jsonl,.ndjson,.json,.gz"
        chosen={chosen?.file.name}
        onFile={take}
      />
      {chosen === undefined ? (
        <p className="text-muted">
          A CSV with any columns, JSONL as an export writes it, or fine-tuning lines of OpenAI; also compressed with
          gzip. There is no limit of size that you would notice: the file is sent as it is, and read line by line. Lines
          that are wrong are named; the others are taken.
        </p>
      ) : null}
      {chosen !== undefined && run.report === undefined ? (
        <>
          {chosen.plan.format === 'csv' ? (
            <SelectField
              className="sm:w-80"
              label="A column with the input is"
              value={inputType}
              options={INPUT_TYPE_IDS.map((id) => ({ id, label: INPUT_TYPES[id].label }))}
              onChange={(type) => {
                setInputType(type as InputType);
                setChosen({ ...chosen, plan: planOf(chosen.head, type as InputType) });
              }}
            />
          ) : null}
          <ImportSetup
            head={chosen.head}
            plan={chosen.plan}
            inputType={inputType}
            onPlan={(plan) => setChosen({ ...chosen, plan })}
          />
          {run.isRunning ? <ImportProgress exampleCount={run.exampleCount} /> : null}
          <ErrorNote error={run.error} />
          <div>
            <Button
              look="main"
              isDisabled={run.isRunning}
              onPress={() => run.start({ datasetId: dataset.id, ...chosen })}
            >
              {run.error === null ? 'Import the file' : 'Go on'}
            </Button>
          </div>
        </>
      ) : null}
      {run.report === undefined ? null : (
        <>
          <ImportReport report={run.report} />
          <div className="flex gap-2">
            <Button look="main" onPress={() => onSearch({})}>
              Show the Examples
            </Button>
            <Button
              onPress={() => {
                run.reset();
                setChosen(undefined);
              }}
            >
              Import another file
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
