import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { Button } from '../ui/button.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { TextField } from '../ui/fields.tsx';
import { FormError } from '../ui/form-error.tsx';
import { notify } from '../ui/notices.tsx';
import { Loaded } from '../ui/states.tsx';
import { AvailabilityNote } from './availability-note.tsx';
import { HubToken } from './hub-token.tsx';
import { ModelField } from './model-field.tsx';
import { AUTO_MODEL } from './model-options.ts';
import { modelSettingsQuery } from './queries.ts';
import { modelsKey } from '../runtime/queries.ts';

interface SettingsProps {
  readonly projectId: string;
  readonly mayManage: boolean;
}

const PURPOSES = [
  {
    id: 'general',
    title: 'Knowledge and Datasets',
    text: 'Reads conversations for Learning Goals, and makes Examples.',
  },
  { id: 'judgement', title: 'Judgement', text: 'Judges Findings and what is learned.' },
  { id: 'embedding', title: 'Search by meaning', text: 'Embeds Knowledge, so that it is found whatever its words.' },
] as const;

/** Models that Clew itself uses for the project, and what they may cost. */
export function ModelSettings({ projectId, mayManage }: SettingsProps): ReactNode {
  const settings = useQuery(modelSettingsQuery(projectId));
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-6 overflow-auto px-4 py-4">
      <section className="max-w-2xl">
        <h2 className="mb-2 text-base font-semibold">What each purpose uses</h2>
        <ul className="divide-y divide-line rounded-md border border-line bg-surface">
          {PURPOSES.map(({ id, title, text }) => (
            <li key={id} className="px-3 py-2.5">
              <p className="font-medium">{title}</p>
              <p className="mb-1.5 text-xs text-muted">{text}</p>
              <AvailabilityNote projectId={projectId} model={AUTO_MODEL} purpose={id} />
            </li>
          ))}
        </ul>
      </section>
      <Loaded query={settings} label="The settings are being read" lines={3}>
        {(data) =>
          mayManage ? (
            <SettingsForm key={JSON.stringify(data)} projectId={projectId} settings={data} />
          ) : (
            <p className="text-muted">Changing these needs the role editor.</p>
          )
        }
      </Loaded>
      {mayManage ? (
        <section>
          <h2 className="mb-2 text-base font-semibold">Model hub</h2>
          <HubToken projectId={projectId} />
        </section>
      ) : null}
    </div>
  );
}

function SettingsForm({ projectId, settings }: { readonly projectId: string; readonly settings: Api.ModelSettings }) {
  const [model, setModel] = useState(settings.defaultModel ?? AUTO_MODEL);
  const [tokens, setTokens] = useState(settings.dailySystemTokens === null ? '' : String(settings.dailySystemTokens));
  const save = useChange(
    () => {
      const defaultModel = model === AUTO_MODEL || model === '' ? null : model.trim();
      const dailySystemTokens = tokens.trim() === '' ? null : Number(tokens);
      return clew.models.settings.update({ defaultModel, dailySystemTokens }, { project: projectId });
    },
    {
      invalidates: [
        [...modelsKey(projectId), 'settings'],
        [...modelsKey(projectId), 'availability'],
      ],
      onDone: () => notify('Saved'),
      onError: () => undefined,
    },
  );
  const errors = fieldErrors(save.error);
  const isNumber = tokens.trim() === '' || (Number.isInteger(Number(tokens)) && Number(tokens) >= 0);
  return (
    <form
      aria-label="Settings of models"
      className="flex max-w-lg flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isNumber && !save.isPending) save.mutate(undefined);
      }}
    >
      <h2 className="text-base font-semibold">Settings</h2>
      <ModelField
        label="Default model"
        projectId={projectId}
        value={model}
        onChange={setModel}
        error={errors.get('defaultModel')}
        hint={`What ${AUTO_MODEL} stands for.`}
      />
      <TextField
        label="Tokens a day for Clew itself"
        type="number"
        min={0}
        value={tokens}
        error={isNumber ? errors.get('dailySystemTokens') : 'A whole number, or nothing'}
        hint="Learning, collecting and judging use no more. Nothing: no limit."
        onChange={setTokens}
      />
      <FormError error={save.error} taken={errors.has('defaultModel') || errors.has('dailySystemTokens')} />
      <div>
        <Button type="submit" look="main" isDisabled={!isNumber || save.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
