import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { Button } from '../ui/button.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { SelectField, TextArea, TextField } from '../ui/fields.tsx';
import { FormProblem } from '../ui/form-problem.tsx';
import { notify } from '../ui/notices.tsx';
import { Panel } from '../ui/panel.tsx';
import { rulesKey } from './queries.ts';
import { configurationChange, draftOf, shareOf, type RuleDraft } from './rule-configuration.ts';
import { SignalsTable } from './signals-table.tsx';

interface RuleFormProps {
  readonly projectId: string;
  readonly rule: Api.Rule;
  readonly mayWrite: boolean;
}

const FIELDS = ['minSignalScore', 'minDiagnosticConfidence', 'adjudicationModel', 'keywords'];

/** Configuration of a Rule in this project. */
export function RuleForm({ projectId, rule, mayWrite }: RuleFormProps): ReactNode {
  const { ruleId, configuration, signals } = rule;
  const [draft, setDraft] = useState<RuleDraft>(() => draftOf(configuration));
  const [isWrong, setWrong] = useState(false);
  const change = configurationChange(configuration, draft);
  const isChanged = Object.keys(change).length > 0;
  const save = useChange(() => clew.rules.update(ruleId, { configuration: change }, { project: projectId }), {
    invalidates: [rulesKey(projectId)],
    onDone: () => notify('Saved. Conversations that end from now on are looked at so.'),
    onError: () => undefined,
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !isWrong) save.mutate(undefined);
      }}
    >
      <Panel title="Signals" hint="What the Rule looks for. A severity of your own holds for Findings from then on.">
        <SignalsTable
          signals={signals}
          overrides={draft.signalOverrides}
          isDisabled={!mayWrite}
          onOverrides={(signalOverrides) => setDraft({ ...draft, signalOverrides })}
        />
      </Panel>
      <Panel title="Thresholds and adjudication">
        <ConfigurationFields {...{ rule, draft, setDraft, setWrong }} isDisabled={!mayWrite} error={save.error} />
      </Panel>
      {mayWrite && (isChanged || save.error !== null) ? (
        <div className="sticky bottom-0 flex flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-raised px-4 py-2.5 shadow-lg">
          <Button type="submit" look="main" isDisabled={!isChanged || isWrong || save.isPending}>
            Save
          </Button>
          <Button look="quiet" isDisabled={save.isPending} onPress={() => setDraft(draftOf(configuration))}>
            As it was
          </Button>
          <FormProblem error={save.error} fields={FIELDS.map((name) => `configuration.${name}`)} />
        </div>
      ) : null}
    </form>
  );
}

interface FieldsProps {
  readonly rule: Api.Rule;
  readonly draft: RuleDraft;
  readonly setDraft: (draft: RuleDraft) => void;
  readonly setWrong: (isWrong: boolean) => void;
  readonly isDisabled: boolean;
  readonly error: Error | null;
}

function ConfigurationFields({ rule, draft, setDraft, setWrong, isDisabled, error }: FieldsProps): ReactNode {
  const errors = fieldErrors(error);
  const errorOf = (name: string) => errors.get(`configuration.${name}`);
  return (
    <div className="grid gap-x-6 gap-y-4 md:grid-cols-2">
      <ShareField
        label="Minimum signal score"
        hint="Signals that score lower are ignored. A higher value means fewer Findings."
        value={draft.minSignalScore}
        onChange={(minSignalScore) => setDraft({ ...draft, minSignalScore })}
        error={errorOf('minSignalScore')}
        {...{ isDisabled, setWrong }}
      />
      <ShareField
        label="Minimum confidence of a Finding"
        hint="Confidence from all signals together and the adjudication. A higher value means fewer Findings."
        value={draft.minDiagnosticConfidence}
        onChange={(minDiagnosticConfidence) => setDraft({ ...draft, minDiagnosticConfidence })}
        error={errorOf('minDiagnosticConfidence')}
        {...{ isDisabled, setWrong }}
      />
      <SelectField
        label="Adjudication"
        hint="A model confirms or refutes what the Rule found, up to the daily limit in the settings."
        value={draft.adjudicationMode}
        onChange={(mode) => setDraft({ ...draft, adjudicationMode: mode === 'auto' ? 'auto' : 'deterministic-only' })}
        options={[
          { id: 'auto', label: 'By a model, if one is available' },
          { id: 'deterministic-only', label: 'Off: the Rule decides alone' },
        ]}
        {...{ isDisabled }}
      />
      <TextField
        label="Model that adjudicates"
        isMono
        placeholder="provider/model"
        hint="Empty: a local one that passes the judgement test."
        value={draft.adjudicationModel ?? ''}
        onChange={(text) => setDraft({ ...draft, adjudicationModel: text.trim() === '' ? null : text.trim() })}
        error={errorOf('adjudicationModel')}
        isDisabled={isDisabled || draft.adjudicationMode !== 'auto'}
      />
      {rule.keywordsMeaning === null ? null : (
        <TextArea
          className="md:col-span-2"
          label="Words of your own"
          hint={`One a line. ${rule.keywordsMeaning}`}
          rows={4}
          value={draft.keywords}
          onChange={(keywords) => setDraft({ ...draft, keywords })}
          error={errorOf('keywords')}
          {...{ isDisabled }}
        />
      )}
    </div>
  );
}

interface ShareFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly setWrong: (isWrong: boolean) => void;
  readonly isDisabled: boolean;
  readonly error: string | undefined;
}

function ShareField({ value, onChange, setWrong, error, ...rest }: ShareFieldProps): ReactNode {
  const [typed, setTyped] = useState<string>();
  const share = typed === undefined ? value : shareOf(typed);
  return (
    <TextField
      {...rest}
      type="number"
      min={0}
      max={1}
      step={0.05}
      // A value that was put back from outside wins over what was typed.
      value={typed !== undefined && (share === undefined || share === value) ? typed : String(value)}
      error={share === undefined ? 'A number from 0 to 1.' : error}
      onChange={(text) => {
        setTyped(text);
        const next = shareOf(text);
        setWrong(next === undefined);
        if (next !== undefined) onChange(next);
      }}
    />
  );
}
