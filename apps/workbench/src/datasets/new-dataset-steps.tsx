import type { ReactNode } from 'react';
import { REDACTION_HINT } from '../collection/words.ts';
import { ObjectiveCards } from '../collection/objective-cards.tsx';
import { INPUT_TYPE_IDS, INPUT_TYPES, type InputType } from '../imports/import-fields.ts';
import { planOf, type ImportPlan } from '../imports/import-plan.ts';
import type { FileHead } from '../imports/import-preview.ts';
import { readHead } from '../imports/read-head.ts';
import { ChoiceCards } from '../ui/choice-cards.tsx';
import { CheckField, TextArea, TextField } from '../ui/fields.tsx';
import { FileDrop } from '../ui/file-drop.tsx';
import { notifyError } from '../ui/notices.tsx';
import { SOURCE_IDS, SOURCES, type NewDataset } from './new-dataset.ts';

/** File that was chosen for a new Dataset. */
export interface ChosenFile {
  readonly file: File;
  readonly head: FileHead;
  readonly plan: ImportPlan;
}

interface StepProps {
  readonly draft: NewDataset;
  readonly change: (part: Partial<NewDataset>) => void;
}

/** First step: name and purpose, and the input that forms begin with. */
export function NameStep({
  draft,
  change,
  errors,
}: StepProps & { readonly errors: ReadonlyMap<string, string> }): ReactNode {
  return (
    <>
      <TextField
        autoFocus
        label="Name"
        value={draft.name}
        maxLength={200}
        placeholder="Refund answers"
        error={errors.get('name')}
        onChange={(name) => change({ name })}
      />
      <TextArea
        label="What it is for, if you like"
        rows={2}
        value={draft.description}
        maxLength={10_000}
        error={errors.get('description')}
        onChange={(description) => change({ description })}
      />
      <ChoiceCards
        label="What an Example usually begins with; each may be of another kind"
        columns={3}
        choices={INPUT_TYPE_IDS.map((id) => ({ id, title: INPUT_TYPES[id].label, text: INPUT_TYPES[id].text }))}
        chosen={draft.inputType}
        onChoose={(inputType: InputType) => change({ inputType })}
      />
    </>
  );
}

interface SourceProps extends StepProps {
  readonly chosen: ChosenFile | undefined;
  readonly setChosen: (chosen: ChosenFile) => void;
}

/** Second step: where the Examples come from. */
export function SourceStep({ draft, change, chosen, setChosen }: SourceProps): ReactNode {
  const take = (file: File) =>
    void readHead(file).then((head) => {
      setChosen({ file, head, plan: planOf(head, draft.inputType) });
      change({ hasFile: true });
    }, notifyError);
  return (
    <>
      <ChoiceCards
        label="Source"
        columns={3}
        choices={SOURCE_IDS.map((id) => ({ id, ...SOURCES[id] }))}
        chosen={draft.source}
        onChoose={(source) => change({ source })}
      />
      {draft.source === 'file' ? (
        <FileDrop
          label="File with Examples"
          accept=".csv,.tsv,.jsonl,.ndjson,.json,.gz"
          chosen={chosen?.file.name}
          onFile={take}
        />
      ) : null}
      {draft.source === 'collection' ? (
        <>
          <ObjectiveCards
            label="What it collects"
            chosen={draft.objective}
            onChoose={(objective) => change({ objective })}
          />
          <CheckField
            label="Replace personal data and secrets"
            hint={REDACTION_HINT}
            isChecked={draft.redaction}
            onChange={(redaction) => change({ redaction })}
          />
        </>
      ) : null}
    </>
  );
}
