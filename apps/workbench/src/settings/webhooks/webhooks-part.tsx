import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { meQuery } from '../../api/queries.ts';
import { may } from '../../api/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { FirstUse, Loaded } from '../../ui/states.tsx';
import { webhooksQuery } from '../queries.ts';
import type { PartProps } from '../part-props.ts';
import { Deliveries } from './deliveries.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { EditWebhookDialog, NewWebhookDialog } from './webhook-dialogs.tsx';

/** Addresses that are told of what changes. */
export default function WebhooksPart({ projectId, search, onSearch }: PartProps): ReactNode {
  const webhooks = useQuery(webhooksQuery(projectId));
  const { data: me } = useQuery(meQuery);
  const [isMaking, setMaking] = useState(false);
  const [edited, setEdited] = useState<Api.Webhook>();
  const [secret, setSecret] = useState<string>();
  const mayWrite = me !== undefined && may(me, projectId, 'project:diagnostics:write');
  const shown = webhooks.data?.find(({ id }) => id === search.webhook);
  const make = mayWrite ? (
    <Button look="main" onPress={() => setMaking(true)}>
      New webhook
    </Button>
  ) : undefined;
  return (
    <>
      <Panel
        title="Notifications"
        hint="Webhooks tell programs, chats and mail addresses what happens; each is tried again for about three days."
        aside={(webhooks.data ?? []).length === 0 ? undefined : make}
      >
        <Loaded query={webhooks} label="Webhooks are being read" lines={4}>
          {(all) =>
            all.length === 0 ? (
              <FirstUse title="No webhooks yet" action={make}>
                Have a mail address, a chat channel or a program of yours told when a Finding appears, is resolved, or
                comes back.
              </FirstUse>
            ) : (
              <ul className="flex flex-col gap-3">
                {all.map((webhook) => (
                  <WebhookCard
                    key={webhook.id}
                    {...{ projectId, webhook, mayWrite }}
                    isShown={webhook.id === shown?.id}
                    onDeliveries={() => onSearch(webhook.id === shown?.id ? {} : { webhook: webhook.id })}
                    onEdit={() => setEdited(webhook)}
                    onSecret={setSecret}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      {shown === undefined ? null : <Deliveries webhook={shown} {...{ projectId, search, onSearch, mayWrite }} />}
      {isMaking ? (
        <NewWebhookDialog
          projectId={projectId}
          onClose={() => setMaking(false)}
          onSecret={(made) => {
            setMaking(false);
            setSecret(made);
          }}
        />
      ) : null}
      {edited === undefined ? null : (
        <EditWebhookDialog projectId={projectId} webhook={edited} onClose={() => setEdited(undefined)} />
      )}
      {secret === undefined ? null : (
        <SecretDialog
          title="Secret of the webhook"
          label="Secret of the webhook"
          secret={secret}
          onClose={() => setSecret(undefined)}
        >
          <p className="text-muted">
            Receivers check the signature of each delivery with it, as Standard Webhooks have it: the headers
            webhook-id, webhook-timestamp and webhook-signature.
          </p>
        </SecretDialog>
      )}
    </>
  );
}
