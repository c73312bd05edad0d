import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { meQuery } from '../../api/queries.ts';
import { may } from '../../api/rights.ts';
import { useChange } from '../../ui/use-change.ts';
import { fieldErrors } from '../../ui/field-errors.ts';
import { SelectField } from '../../ui/fields.tsx';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { NumberField } from '../number-field.tsx';
import { retentionQuery, telemetrySettingsQuery } from '../queries.ts';
import { SaveBar } from '../save-bar.tsx';
import type { PartProps } from '../part-props.ts';
import { usePatch } from '../use-patch.ts';
import { Erasures } from './erasures.tsx';
import { MaskingPanel } from './masking-panel.tsx';
import { RemovalTable } from './removal-table.tsx';
import type { TelemetryFormProps } from './telemetry-form-props.ts';

/** How long things are kept, and what is never stored. */
export default function PrivacyPart({ projectId }: PartProps): ReactNode {
  const settings = useQuery(telemetrySettingsQuery(projectId));
  const { data: me } = useQuery(meQuery);
  const mayChange = me !== undefined && may(me, projectId, 'project:update');
  return (
    <>
      <Panel
        title="How long things are kept"
        hint="What has expired goes with the next run. What is quoted by a Finding stays with it. Backups have times of their own."
      >
        <Loaded query={settings} label="The settings are being read" lines={3}>
          {(stored) => <RetentionForm {...{ projectId, stored, mayChange }} />}
        </Loaded>
      </Panel>
      <Removed projectId={projectId} />
      <Loaded query={settings} label="The settings are being read" lines={3}>
        {(stored) => <MaskingPanel {...{ projectId, stored, mayChange }} />}
      </Loaded>
      <Erasures projectId={projectId} />
    </>
  );
}

const MAX_DAYS = 3_650;
const FIELDS = [
  {
    name: 'telemetryRetentionDays',
    label: 'Conversations and spans, days',
    hint: 'From when they were received, a conversation from the last of it.',
    max: MAX_DAYS,
  },
  {
    name: 'rawPayloadRetentionDays',
    label: 'What was said, days',
    hint: 'No longer than conversations are kept.',
    max: MAX_DAYS,
  },
  {
    name: 'snapshotRetentionDays',
    label: 'Former snapshots, days',
    hint: 'Those that are not the latest of their conversation.',
    max: MAX_DAYS,
  },
  {
    name: 'maintenanceIntervalHours',
    label: 'Maintenance, every so many hours',
    hint: 'Looks through what is stored and puts traces together.',
    max: 720,
  },
] as const;

function RetentionForm({ projectId, stored, mayChange }: TelemetryFormProps): ReactNode {
  const { value, patch, isChanged, set, reset } = usePatch(stored);
  const save = useChange(
    (change: Partial<Api.TelemetrySettings>) => clew.telemetry.settings.update(change, { project: projectId }),
    {
      invalidates: [telemetrySettingsQuery(projectId).queryKey, retentionQuery(projectId).queryKey],
      onDone: () => notify('Saved. What has expired by it goes with the next run, which begins at once.'),
      onError: () => undefined,
    },
  );
  const errors = fieldErrors(save.error);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(patch);
      }}
    >
      <div className="grid grid-cols-1 gap-x-6 gap-y-4 md:grid-cols-2">
        {FIELDS.map(({ name, label, hint, max }) => (
          <NumberField
            key={name}
            {...{ label, hint, max }}
            min={1}
            value={value[name]}
            onChange={(number) => set({ [name]: number })}
            isDisabled={!mayChange}
            error={errors.get(name)}
          />
        ))}
        <SelectField
          label="Content"
          value={value.contentCapture}
          isDisabled={!mayChange}
          onChange={(id) => set({ contentCapture: id === 'structure' ? 'structure' : 'full' })}
          hint="For what arrives from then on; what is stored stays as it is."
          error={errors.get('contentCapture')}
          options={[
            { id: 'full', label: 'What was said is stored' },
            { id: 'structure', label: 'No words: roles, tools, lengths, times, tokens, kinds of errors' },
          ]}
        />
      </div>
      {mayChange ? (
        <SaveBar
          {...{ isChanged }}
          isPending={save.isPending}
          error={save.error}
          fields={[...FIELDS.map(({ name }) => name), 'contentCapture']}
          onReset={reset}
        />
      ) : null}
    </form>
  );
}

function Removed({ projectId }: { readonly projectId: string }): ReactNode {
  const retention = useQuery(retentionQuery(projectId));
  return (
    <Panel title="What was removed, and when">
      <Loaded query={retention} label="The runs are being read" lines={3}>
        {(states) => <RemovalTable states={states} />}
      </Loaded>
    </Panel>
  );
}
