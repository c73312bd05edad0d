import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { meQuery } from '../../api/queries.ts';
import { may } from '../../api/rights.ts';
import { useChange } from '../../ui/use-change.ts';
import { percent } from '../../text/format.ts';
import { CheckField, SelectField } from '../../ui/fields.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { NumberField } from '../number-field.tsx';
import { diagnosticSettingsQuery } from '../queries.ts';
import { SaveBar } from '../save-bar.tsx';
import type { PartProps } from '../part-props.ts';
import { usePatch } from '../use-patch.ts';
import { FailureRate } from './failure-rate.tsx';
import { ReviewForm } from './review-form.tsx';
import { ReviewList } from './review-list.tsx';
import { remainingShare } from './reviews.ts';
import type { SettingsFormProps } from './settings-form-props.ts';

type Settings = Api.DiagnosticSettings;

/** How conversations are diagnosed: by themselves, by models, and what verifies a repair. */
export default function DiagnosticsPart({ projectId }: PartProps): ReactNode {
  const settings = useQuery(diagnosticSettingsQuery(projectId));
  const { data: me } = useQuery(meQuery);
  const mayWrite = me !== undefined && may(me, projectId, 'project:diagnostics:write');
  return (
    <>
      <Panel title="Diagnosis">
        <Loaded query={settings} label="The settings are being read" lines={4}>
          {(stored) => <DiagnosisForm {...{ projectId, stored, mayWrite }} />}
        </Loaded>
      </Panel>
      <Panel
        title="Reviews by a model"
        hint="A model reads whole conversations, says what the user wanted and whether they got it, and quotes what went wrong."
      >
        <Loaded query={settings} label="The settings are being read" lines={3}>
          {(stored) => <ReviewForm {...{ projectId, stored, mayWrite }} />}
        </Loaded>
      </Panel>
      <FailureRate projectId={projectId} />
      <ReviewList projectId={projectId} />
    </>
  );
}

function DiagnosisForm({ projectId, stored, mayWrite }: SettingsFormProps): ReactNode {
  const { value, patch, isChanged, set, reset } = usePatch(stored);
  const save = useChange(
    (change: Partial<Settings>) => clew.diagnostics.settings.update(change, { project: projectId }),
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
      <CheckField
        label="Diagnose conversations by themselves"
        hint="Some minutes after a conversation has ended. Off: only when somebody asks for it."
        isChecked={value.automaticSchedulingEnabled}
        onChange={(automaticSchedulingEnabled) => set({ automaticSchedulingEnabled })}
        {...{ isDisabled }}
      />
      <div className="grid gap-x-6 gap-y-4 md:grid-cols-2">
        <SelectField
          label="Expectations that are found in prompts"
          value={value.expectationActivation}
          onChange={(id) => set({ expectationActivation: id === 'manual' ? 'manual' : 'grammar' })}
          options={[
            { id: 'grammar', label: 'Are active where the grammar understands them' },
            { id: 'manual', label: 'Are proposed, and wait for a person' },
          ]}
          {...{ isDisabled }}
        />
        <NumberField
          label="Adjudications a day"
          hint="Calls of models that confirm or refute what Rules found. What is left waits."
          min={0}
          max={1_000_000}
          value={value.dailyAdjudications}
          onChange={(dailyAdjudications) => set({ dailyAdjudications })}
          error={errors.get('dailyAdjudications')}
          {...{ isDisabled }}
        />
        <NumberField
          label="Clean conversations that verify a repair"
          hint={`After them, the problem occurs in at most ${percent(remainingShare(Math.max(1, value.requiredExposures)))} of such conversations, with 95% confidence.`}
          min={1}
          max={1_000}
          value={value.requiredExposures}
          onChange={(requiredExposures) => set({ requiredExposures })}
          error={errors.get('requiredExposures')}
          {...{ isDisabled }}
        />
      </div>
      <CheckField
        label="Reopen the issue when a problem comes back"
        isChecked={value.reopenOnRegression}
        onChange={(reopenOnRegression) => set({ reopenOnRegression })}
        {...{ isDisabled }}
      />
      {mayWrite ? (
        <SaveBar
          {...{ isChanged }}
          isPending={save.isPending}
          error={save.error}
          fields={['dailyAdjudications', 'requiredExposures']}
          onReset={reset}
        />
      ) : null}
    </form>
  );
}
