import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { BASE, clew } from '../../api/client.ts';
import { connectorsQuery } from '../../api/queries.ts';
import { useChange } from '../../ui/use-change.ts';
import { duration } from '../../text/format.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { visibleText } from '../../text/visible-text.ts';
import { Badge } from '../../ui/badges.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Facts } from '../../ui/panel.tsx';
import { destinationText, TRACKERS } from './connector-form.ts';

interface ConnectorCardProps {
  readonly projectId: string;
  readonly connector: Api.Connector;
  readonly mayWrite: boolean;
  readonly onEdit: () => void;
}

/** One connector, with the test that tells whether it works. */
export function ConnectorCard({ projectId, connector, mayWrite, onEdit }: ConnectorCardProps): ReactNode {
  const { id, provider, name, baseUrl, enabled, isDefault, defaultDestination, hasWebhookSecret } = connector;
  const { label } = TRACKERS[provider];
  const title = name === null ? label : visibleText(name);
  const test = useChange(() => clew.connectors.test(id, { project: projectId }), { invalidates: [] });
  const remove = useChange(() => clew.connectors.delete(id, { project: projectId }), {
    invalidates: [connectorsQuery(projectId).queryKey],
  });
  const address = new URL(connector.webhookPath.replace(/^\//, ''), BASE).href;
  return (
    <li className="rounded-md border border-line px-3 py-2.5">
      <div className="mb-2 flex flex-wrap items-center gap-1.5">
        <h3 className="font-medium">
          <bdi>{title}</bdi>
        </h3>
        {name === null ? null : <span className="text-muted">{label}</span>}
        {isDefault ? <Badge tone="ok">Default</Badge> : null}
        {enabled ? null : <Badge tone="medium">Switched off</Badge>}
        {mayWrite ? (
          <span className="ml-auto flex gap-1">
            <Button isDisabled={test.isPending} onPress={() => test.mutate(undefined)}>
              {test.isPending ? 'Testing…' : 'Test'}
            </Button>
            <Button look="quiet" onPress={onEdit}>
              Change…
            </Button>
            <ConfirmButton
              label="Remove…"
              title={`Remove ${title}?`}
              confirmLabel="Remove the connector"
              isDisabled={remove.isPending}
              onConfirm={() => remove.mutate(undefined)}
            >
              Its credentials are deleted. Issues stay as they are; work items that use it are no longer kept in step.
            </ConfirmButton>
          </span>
        ) : null}
      </div>
      <Facts
        facts={[
          ['Address', <HostileText key="address" text={baseUrl ?? `${label}’s own`} />],
          [
            'New issues go to',
            <HostileText key="to" text={destinationText(defaultDestination) || 'Asked each time'} />,
          ],
          ['Its webhooks', hasWebhookSecret ? 'Are taken' : 'Are refused: there is no secret'],
        ]}
      />
      <p className="mt-2 flex min-w-0 items-center gap-1 text-xs text-muted">
        <span className="shrink-0">Address for its webhooks:</span>
        <code className="min-w-0 truncate font-mono">{address}</code>
        <CopyButton text={address} />
      </p>
      {test.data === undefined ? null : <TestResult test={test.data} />}
    </li>
  );
}

function TestResult({ test }: { readonly test: Api.ConnectorTest }): ReactNode {
  const { ok, account, destination, error, reason, latencyMs } = test;
  return (
    <p
      role="status"
      className={`mt-2 rounded px-2 py-1.5 ${ok ? 'bg-ok-soft text-ok' : 'bg-critical-soft text-critical'}`}
    >
      {ok ? 'It works' : `It does not work (${reason ?? 'unknown'})`}
      {account === null ? null : (
        <>
          , as <HostileText text={account} />
        </>
      )}
      {destination === null ? null : (
        <>
          , to <HostileText text={destination.name} />
        </>
      )}
      , in {duration(latencyMs)}. {error === null ? null : <HostileText text={error} />}
    </p>
  );
}
