import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { meQuery } from '../../api/queries.ts';
import { useChange } from '../../ui/use-change.ts';
import { fieldErrors } from '../../ui/field-errors.ts';
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { keysQuery } from '../queries.ts';
import { endOf, LIVES, PRESETS, presetOf, SCOPE_IDS, scopeFacts, type Scope } from './scopes.ts';

interface KeyDialogProps {
  readonly projectId: string;
  readonly onClose: () => void;
  readonly onMade: (made: Api.ApiKeySecret) => void;
}

/** Form of a new key. */
export function KeyDialog({ projectId, onClose, onMade }: KeyDialogProps): ReactNode {
  const { data: me } = useQuery(meQuery);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['telemetry:write']);
  const [days, setDays] = useState('');
  const [isForAll, setForAll] = useState(false);
  const create = useChange(
    () =>
      clew.apiKeys.create(
        {
          ...{ name: name.trim(), scopes: [...scopes] },
          expiresAt: endOf(days, Date.now()),
          ...(isForAll ? { projectIds: 'all' as const } : {}),
        },
        { project: projectId },
      ),
    { invalidates: [keysQuery(projectId).queryKey], onDone: onMade, onError: () => undefined },
  );
  const errors = fieldErrors(create.error);
  return (
    <FormDialog
      {...{ onClose }}
      title="New key"
      submitLabel="Make the key"
      isWide
      fields={['name', 'expiresAt']}
      isPending={create.isPending}
      isIncomplete={name.trim() === '' || scopes.length === 0}
      error={create.error}
      onSubmit={() => create.mutate(undefined)}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Name"
          hint="Where it will be used, so that it is known when it is to go."
          placeholder="checkout, production"
          autoFocus
          maxLength={200}
          value={name}
          onChange={setName}
          error={errors.get('name')}
        />
        <SelectField
          label="Ends"
          value={days}
          onChange={setDays}
          error={errors.get('expiresAt')}
          options={[
            { id: '', label: 'Never' },
            ...LIVES.map((life) => ({ id: String(life), label: `In ${life} days` })),
          ]}
        />
      </div>
      <SelectField
        label="What it is for"
        value={presetOf(scopes) ?? 'own'}
        onChange={(id) => setScopes(PRESETS.find((preset) => preset.id === id)?.scopes ?? [])}
        options={[...PRESETS, { id: 'own', label: 'Something else: choose below' }]}
      />
      <ScopeChoice scopes={scopes} onChange={setScopes} />
      {me?.owner === true ? (
        <CheckField
          label="Open all projects of the workspace"
          hint="Else it opens this project alone."
          isChecked={isForAll}
          onChange={setForAll}
        />
      ) : null}
    </FormDialog>
  );
}

interface ScopeChoiceProps {
  readonly scopes: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

function ScopeChoice({ scopes, onChange }: ScopeChoiceProps): ReactNode {
  return (
    <fieldset className="rounded-md border border-line px-3 py-2">
      <legend className="px-1 font-medium">It may</legend>
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        {SCOPE_IDS.map((scope) => {
          const { meaning, hint } = scopeFacts(scope);
          return (
            <CheckField
              key={scope}
              isChecked={scopes.includes(scope)}
              onChange={(isChecked) =>
                onChange(SCOPE_IDS.filter((each) => (each === scope ? isChecked : scopes.includes(each))))
              }
              label={
                <>
                  {meaning} <code className="font-mono text-xs text-muted">{scope}</code>
                </>
              }
              hint={hint}
            />
          );
        })}
      </div>
    </fieldset>
  );
}
