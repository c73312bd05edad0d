import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { useChange } from '../../ui/use-change.ts';
import { useEdit } from '../../api/use-edit.ts';
import { EditDialog } from '../../ui/edit-dialog.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { NumberField } from '../number-field.tsx';
import { webhooksQuery } from '../queries.ts';
import { EVENT_GROUPS, eventText, isChosen, withChoice } from './webhook-events.ts';

type Draft = Pick<
  Api.Webhook,
  'url' | 'events' | 'severities' | 'failureRateAbove' | 'format' | 'description' | 'enabled'
>;

type Severity = Draft['severities'][number];

const MAILTO = 'mailto:';
const FINDING_EVENTS = EVENT_GROUPS[0].events;
const FIELDS = ['url', 'failureRateAbove', 'description'];
const FORMATS = [
  { id: 'standard', label: 'Standard Webhooks: {type, timestamp, data}' },
  { id: 'email', label: 'Letters to a mail address' },
  { id: 'slack', label: 'Messages for Slack, and what takes its messages' },
  { id: 'json', label: 'The data alone' },
] as const;

interface NewProps {
  readonly projectId: string;
  readonly onClose: () => void;
  readonly onSecret: (secret: string) => void;
}

/** Form of a new webhook. */
export function NewWebhookDialog({ projectId, onClose, onSecret }: NewProps): ReactNode {
  const [draft, setDraft] = useState<Draft>({
    ...{ url: '', events: ['finding.*'], severities: [], failureRateAbove: 0.2 },
    ...{ format: 'standard', description: '', enabled: true },
  });
  const create = useChange(() => clew.webhooks.create(draft, { project: projectId }), {
    invalidates: [webhooksQuery(projectId).queryKey],
    onDone: ({ secret }) => onSecret(secret),
    onError: () => undefined,
  });
  return (
    <FormDialog
      {...{ onClose }}
      title="New webhook"
      submitLabel="Make the webhook"
      isWide
      fields={FIELDS}
      isPending={create.isPending}
      isIncomplete={draft.url.replace(MAILTO, '').trim() === '' || draft.events.length === 0}
      error={create.error}
      onSubmit={() => create.mutate(undefined)}
    >
      <WebhookFields draft={draft} onDraft={setDraft} errors={fieldErrors(create.error)} />
    </FormDialog>
  );
}

interface EditProps {
  readonly projectId: string;
  readonly webhook: Api.Webhook;
  readonly onClose: () => void;
}

/** Form that changes a webhook. */
export function EditWebhookDialog({ projectId, webhook, onClose }: EditProps): ReactNode {
  const [typed, setTyped] = useState<Partial<Draft>>({});
  const edit = useEdit({
    key: ['webhook', projectId, webhook.id],
    read: () => clew.webhooks.get(webhook.id, { project: projectId }),
    change: (body: Partial<Draft>, options) =>
      clew.webhooks.update(webhook.id, body, { project: projectId, ...options }),
    invalidates: [webhooksQuery(projectId).queryKey],
    onDone: onClose,
  });
  return (
    <EditDialog
      {...{ edit, onClose }}
      title="Change the webhook"
      isWide
      fields={FIELDS}
      isIncomplete={Object.keys(typed).length === 0 || typed.events?.length === 0}
      onSubmit={() => edit.save(typed)}
    >
      {(current) => (
        <>
          <WebhookFields
            draft={{ ...current, ...typed }}
            onDraft={(draft) => setTyped(changeOf(current, draft))}
            errors={fieldErrors(edit.error)}
          />
          <CheckField
            label="Switched on"
            isChecked={typed.enabled ?? current.enabled}
            onChange={(enabled) => setTyped({ ...typed, enabled })}
          />
        </>
      )}
    </EditDialog>
  );
}

function changeOf(current: Draft, draft: Draft): Partial<Draft> {
  const { url, events, severities, failureRateAbove, format, description, enabled } = draft;
  return {
    ...(url === current.url ? {} : { url }),
    ...(JSON.stringify(events) === JSON.stringify(current.events) ? {} : { events }),
    ...(JSON.stringify(severities) === JSON.stringify(current.severities) ? {} : { severities }),
    ...(failureRateAbove === current.failureRateAbove ? {} : { failureRateAbove }),
    ...(format === current.format ? {} : { format }),
    ...(description === current.description ? {} : { description }),
    ...(enabled === current.enabled ? {} : { enabled }),
  };
}

interface FieldsProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly errors: ReadonlyMap<string, string>;
}

function WebhookFields({ draft, onDraft, errors }: FieldsProps): ReactNode {
  const { events, format, description } = draft;
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="Form"
          value={format}
          options={FORMATS}
          onChange={(id) => onDraft(withFormat(draft, FORMATS.find((each) => each.id === id)?.id ?? format))}
        />
        <AddressField {...{ draft, onDraft, errors }} />
      </div>
      <fieldset className="rounded-md border border-line px-3 py-2">
        <legend className="px-1 font-medium">It is told of</legend>
        <div className="grid gap-x-4 gap-y-2 sm:grid-cols-3">
          {EVENT_GROUPS.map(({ all, label, events: ofGroup }) => (
            <div key={all} className="flex flex-col gap-1">
              <p className="text-xs font-medium text-muted">{label}</p>
              {ofGroup.map((event) => (
                <CheckField
                  key={event}
                  label={<EventName event={event} />}
                  isChecked={isChosen(events, event)}
                  onChange={() => onDraft({ ...draft, events: withChoice(events, event) })}
                />
              ))}
            </div>
          ))}
        </div>
      </fieldset>
      <WebhookConditions {...{ draft, onDraft, errors }} />
      <div>
        <TextField
          label="Note"
          value={description}
          maxLength={500}
          onChange={(value) => onDraft({ ...draft, description: value })}
          error={errors.get('description')}
        />
      </div>
    </>
  );
}

function AddressField({ draft, onDraft, errors }: FieldsProps): ReactNode {
  const isMail = draft.format === 'email';
  return (
    <TextField
      label={isMail ? 'Mail address' : 'Address'}
      type={isMail ? 'email' : 'url'}
      autoFocus
      placeholder={isMail ? 'team@example.com' : 'https://'}
      maxLength={2_000}
      value={draft.url.replace(MAILTO, '')}
      onChange={(value) => onDraft({ ...draft, url: `${isMail ? MAILTO : ''}${value.trim()}` })}
      error={errors.get('url')}
    />
  );
}

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** Conditions under which it is told: severities of Findings, and the bound of the failure rate. */
function WebhookConditions({ draft, onDraft, errors }: FieldsProps): ReactNode {
  const { events, severities, failureRateAbove } = draft;
  const isOfFindings = FINDING_EVENTS.some((event) => isChosen(events, event));
  const isOfRate = isChosen(events, 'failure_rate.exceeded');
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {isOfFindings ? (
        <fieldset className="rounded-md border border-line px-3 py-2">
          <legend className="px-1 font-medium">Findings of severity</legend>
          <div className="flex flex-wrap gap-x-4 gap-y-1">
            {SEVERITIES.map((severity) => (
              <CheckField
                key={severity}
                label={severity}
                isChecked={severities.length === 0 || severities.includes(severity)}
                onChange={() => onDraft({ ...draft, severities: withSeverity(severities, severity) })}
              />
            ))}
          </div>
        </fieldset>
      ) : null}
      {isOfRate ? (
        <NumberField
          label="Failure rate above, in percent"
          hint="Of the last seven days, from conversations that a model has read."
          min={0}
          max={100}
          value={Math.round(failureRateAbove * 100)}
          onChange={(percent) => onDraft({ ...draft, failureRateAbove: percent / 100 })}
          error={errors.get('failureRateAbove')}
        />
      ) : null}
    </div>
  );
}

/** Draft in another form; letters and everything else have addresses of their own kind. */
function withFormat(draft: Draft, format: Draft['format']): Draft {
  const isKept = (format === 'email') === (draft.format === 'email');
  return { ...draft, format, url: isKept ? draft.url : format === 'email' ? MAILTO : '' };
}

/** Severities after one was chosen or left out; all of them are none that is named, and one stays. */
function withSeverity(chosen: readonly Severity[], severity: Severity): Severity[] {
  const next = SEVERITIES.filter((each) => (chosen.length === 0 || chosen.includes(each)) !== (each === severity));
  if (next.length === 0) return [...chosen];
  return next.length === SEVERITIES.length ? [] : next;
}

/** Name of an event below the name of its group, which is read but not shown again. */
function EventName({ event }: { readonly event: string }): ReactNode {
  const [thing = '', deed = ''] = event.split('.');
  return (
    <>
      <span className="sr-only">{eventText(thing)} </span>
      {deed}
    </>
  );
}
