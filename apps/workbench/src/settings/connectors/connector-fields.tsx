import type { ReactNode } from 'react';
import { CheckField, TextField } from '../../ui/fields.tsx';
import { TRACKERS, type ConnectorDraft } from './connector-form.ts';

/** Fields that show their own messages. */
export const FIELDS = [
  'name',
  'baseUrl',
  'credentials.token',
  'credentials.email',
  'webhookSecret',
  'defaultDestination',
];

interface ConnectorFieldsProps {
  readonly draft: ConnectorDraft;
  readonly onDraft: (draft: ConnectorDraft) => void;
  readonly errors: ReadonlyMap<string, string>;
  readonly isNew?: boolean;
}

/** Fields of a connector; those of secrets are always empty. */
export function ConnectorFields({ draft, onDraft, errors, isNew = false }: ConnectorFieldsProps): ReactNode {
  const { provider, name, baseUrl, email, token, webhookSecret, destination, isDefault, enabled } = draft;
  const facts = TRACKERS[provider];
  const set = (change: Partial<ConnectorDraft>) => onDraft({ ...draft, ...change });
  const kept = isNew ? '' : ' Empty: it stays as it is.';
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Address"
          type="url"
          value={baseUrl}
          onChange={(value) => set({ baseUrl: value })}
          placeholder={facts.isAddressNeeded ? facts.address : ''}
          hint={facts.isAddressNeeded ? 'Of your site.' : `Empty for ${facts.label}’s own.`}
          error={errors.get('baseUrl')}
        />
        <TextField
          label="Name"
          value={name}
          onChange={(value) => set({ name: value })}
          maxLength={200}
          hint="Where there are several."
          error={errors.get('name')}
        />
        {provider === 'jira' ? (
          <TextField
            label="E-mail address of the account"
            type="email"
            value={email}
            onChange={(value) => set({ email: value })}
            error={errors.get('credentials.email')}
          />
        ) : null}
        <TextField
          label={isNew ? 'Token' : 'New token'}
          type="password"
          value={token}
          onChange={(value) => set({ token: value })}
          hint={`${facts.token}${kept}`}
          error={errors.get('credentials.token')}
        />
      </div>
      <fieldset className="rounded-md border border-line px-3 py-2">
        <legend className="px-1 font-medium">New issues go to</legend>
        <div className="grid gap-3 sm:grid-cols-2">
          {facts.destination.map((field) => (
            <TextField
              key={field.name}
              label={field.isOptional === true ? `${field.label} (if it is not to be chosen)` : field.label}
              value={destination[field.name] ?? ''}
              onChange={(value) => set({ destination: { ...destination, [field.name]: value } })}
              placeholder={field.placeholder}
              error={errors.get(`defaultDestination.${field.name}`)}
            />
          ))}
        </div>
        <p className="mt-1.5 text-xs text-muted">Empty: an issue that exists is named each time.</p>
      </fieldset>
      <TextField
        label="Secret of its webhooks"
        type="password"
        value={webhookSecret}
        onChange={(value) => set({ webhookSecret: value })}
        hint={`With it, closed issues are noticed at once, instead of at the next look.${kept}`}
        error={errors.get('webhookSecret')}
      />
      <CheckField
        label={`Use it for ${facts.label} unless another one is named`}
        hint={isNew ? 'The first of a tracker is its default anyway.' : undefined}
        isChecked={isDefault}
        onChange={(value) => set({ isDefault: value })}
      />
      <CheckField label="Switched on" isChecked={enabled} onChange={(value) => set({ enabled: value })} />
    </>
  );
}
