import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { useChange } from '../../ui/use-change.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { notify } from '../../ui/notices.tsx';
import { NumberField } from '../number-field.tsx';
import { diagnosticSettingsQuery } from '../queries.ts';
import { SaveBar } from '../save-bar.tsx';
import { usePatch } from '../use-patch.ts';
import type { SettingsFormProps } from './settings-form-props.ts';
import { modeOf, MODES } from './reviews.ts';

/** Which conversations a model reads, and which model. */
export function ReviewForm({ projectId, stored, mayWrite }: SettingsFormProps): ReactNode {
  const { value, patch, isChanged, set, reset } = usePatch(stored);
  const save = useChange(
    (change: Partial<Api.DiagnosticSettings>) => clew.diagnostics.settings.update(change, { project: projectId }),
    {
      invalidates: [diagnosticSettingsQuery(projectId).queryKey],
      onDone: () => notify('Saved'),
      onError: () => undefined,
    },
  );
  const errors = fieldErrors(save.error);
  const isDisabled = !mayWrite;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(patch);
      }}
    >
      <div className="grid gap-x-6 gap-y-4 md:grid-cols-2">
        <SelectField
          label="Which conversations"
          value={value.reviewMode ?? 'auto'}
          onChange={(id) => set({ reviewMode: modeOf(id) })}
          options={MODES}
          error={errors.get('reviewMode')}
          {...{ isDisabled }}
        />
        <NumberField
          label="Reviews a day"
          hint="Counted from midnight UTC. What is left waits."
          min={0}
          max={1_000_000}
          value={value.dailyReviews}
          onChange={(dailyReviews) => set({ dailyReviews })}
          error={errors.get('dailyReviews')}
          {...{ isDisabled }}
        />
        <TextField
          label="Model"
          isMono
          value={value.reviewModel ?? ''}
          placeholder="provider/model"
          hint="Empty: the model that adjudicates for a Rule, else a local one that passes the judgement test."
          onChange={(text) => set({ reviewModel: text.trim() === '' ? null : text.trim() })}
          error={errors.get('reviewModel')}
          {...{ isDisabled }}
        />
      </div>
      {mayWrite ? (
        <SaveBar
          {...{ isChanged }}
          isPending={save.isPending}
          error={save.error}
          fields={['reviewMode', 'dailyReviews', 'reviewModel']}
          onReset={reset}
        />
      ) : null}
    </form>
  );
}
