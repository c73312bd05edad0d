import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { useChange } from '../../ui/use-change.ts';
import { duration } from '../../text/format.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { Time } from '../../text/time.tsx';
import { Badge } from '../../ui/badges.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { webhooksQuery } from '../queries.ts';
import { eventsText } from './webhook-events.ts';

interface WebhookCardProps {
  readonly projectId: string;
  readonly webhook: Api.Webhook;
  readonly mayWrite: boolean;
  readonly isShown: boolean;
  readonly onDeliveries: () => void;
  readonly onEdit: () => void;
  readonly onSecret: (secret: string) => void;
}

const FORMS: Readonly<Record<Api.Webhook['format'], string>> = {
  ...{ standard: '', json: ', as plain JSON', slack: ', as messages for Slack', email: ', in letters' },
};

/** One webhook with its state. */
export function WebhookCard(props: WebhookCardProps): ReactNode {
  const { projectId, webhook, mayWrite, isShown, onDeliveries, onEdit, onSecret } = props;
  const { id, url, events, severities, format, description } = webhook;
  const test = useChange(() => clew.webhooks.test(id, { project: projectId }), { invalidates: [] });
  return (
    <li className="rounded-md border border-line px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-1.5">
        <h3 className="min-w-0 truncate font-mono text-xs font-medium">
          <HostileText text={url} />
        </h3>
        <WebhookState webhook={webhook} />
        <span className="ml-auto flex flex-wrap gap-1">
          <Button look="quiet" aria-expanded={isShown} onPress={onDeliveries}>
            {isShown ? 'Hide deliveries' : 'Deliveries'}
          </Button>
          {mayWrite ? (
            <>
              <Button isDisabled={test.isPending} onPress={() => test.mutate(undefined)}>
                {test.isPending ? 'Testing…' : 'Test'}
              </Button>
              <Button look="quiet" onPress={onEdit}>
                Change…
              </Button>
              <WebhookDeeds {...{ projectId, webhook, onSecret }} />
            </>
          ) : null}
        </span>
      </div>
      <p className="mt-1 text-muted">
        {eventsText(events)}
        {severities.length === 0 ? '' : `, Findings of severity ${severities.join(', ')} alone`}
        {FORMS[format]}
        {description === '' ? null : (
          <>
            . <HostileText text={description} />
          </>
        )}
      </p>
      {test.data === undefined ? null : <TestResult test={test.data} />}
    </li>
  );
}

function WebhookState({ webhook }: { readonly webhook: Api.Webhook }): ReactNode {
  const { enabled, disabledReason, failingSince, previousSecretValidUntil } = webhook;
  return (
    <>
      {enabled ? null : (
        <Badge tone="critical">
          Switched off{disabledReason === null ? '' : ': '}
          {disabledReason === null ? null : <HostileText text={disabledReason} />}
        </Badge>
      )}
      {enabled && failingSince !== null ? (
        <Badge tone="high">
          Failing since <Time atMs={failingSince} />
        </Badge>
      ) : null}
      {previousSecretValidUntil !== null && previousSecretValidUntil > Date.now() ? (
        <Badge tone="low">
          Former secret ends <Time atMs={previousSecretValidUntil} />
        </Badge>
      ) : null}
    </>
  );
}

function TestResult({ test }: { readonly test: Api.WebhookTest }): ReactNode {
  const { ok, statusCode, durationMs, error, answer } = test;
  return (
    <div
      role="status"
      className={`mt-2 rounded px-2 py-1.5 ${ok ? 'bg-ok-soft text-ok' : 'bg-critical-soft text-critical'}`}
    >
      <p>
        {ok ? 'It was taken' : 'It was not taken'}
        {statusCode === null ? '' : `, with ${statusCode}`}, in {duration(durationMs)}.{' '}
        {error === null ? null : <HostileText text={error} />}
      </p>
      {answer === null || answer === '' ? null : (
        <pre className="mt-1 max-h-32 overflow-auto font-mono text-xs whitespace-pre-wrap">
          <HostileText text={answer} />
        </pre>
      )}
    </div>
  );
}

const HOUR_MS = 3_600_000;
const GRACES = [
  { id: '0', label: 'At once' },
  { id: String(HOUR_MS), label: 'After an hour' },
  { id: String(24 * HOUR_MS), label: 'After a day' },
  { id: String(7 * 24 * HOUR_MS), label: 'After a week' },
];

function WebhookDeeds({
  projectId,
  webhook,
  onSecret,
}: Pick<WebhookCardProps, 'projectId' | 'webhook' | 'onSecret'>): ReactNode {
  const [isRotating, setRotating] = useState(false);
  const [grace, setGrace] = useState(String(24 * HOUR_MS));
  const invalidates = [webhooksQuery(projectId).queryKey];
  const rotate = useChange(
    () => clew.webhooks.rotateSecret(webhook.id, { graceMs: Number(grace) }, { project: projectId }),
    {
      invalidates,
      onDone: ({ secret }) => {
        setRotating(false);
        onSecret(secret);
      },
      onError: () => undefined,
    },
  );
  const remove = useChange(() => clew.webhooks.delete(webhook.id, { project: projectId }), { invalidates });
  return (
    <>
      <Button look="quiet" onPress={() => setRotating(true)}>
        New secret…
      </Button>
      <ConfirmButton
        label="Remove…"
        title="Remove the webhook?"
        confirmLabel="Remove the webhook"
        isDisabled={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      >
        Nothing more is sent there, also not what still waits. Its deliveries go with it.
      </ConfirmButton>
      {isRotating ? (
        <FormDialog
          title="New secret of the webhook"
          submitLabel="Make the secret"
          isPending={rotate.isPending}
          error={rotate.error}
          onClose={() => setRotating(false)}
          onSubmit={() => rotate.mutate(undefined)}
        >
          <p>Until the old one ends, each delivery has both signatures.</p>
          <SelectField label="The old secret ends" value={grace} onChange={setGrace} options={GRACES} autoFocus />
        </FormDialog>
      ) : null}
    </>
  );
}
