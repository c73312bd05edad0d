import { useInfiniteQuery } from '@tanstack/react-query';
import { Fragment, useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { useChange } from '../../ui/use-change.ts';
import { counted, duration, fullTime } from '../../text/format.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { Time } from '../../text/time.tsx';
import { Badge, type Tone } from '../../ui/badges.tsx';
import { Button } from '../../ui/button.tsx';
import { InlineSelect } from '../../ui/inline-select.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { deliveriesQuery } from '../queries.ts';
import type { PartProps } from '../part-props.ts';
import { choiceOf } from '../settings-search.ts';
import { eventText } from './webhook-events.ts';

const STATUSES = ['pending', 'delivered', 'failed'] as const;
const STATUS_TONES: Readonly<Record<Api.WebhookDelivery['status'], Tone>> = {
  pending: 'medium',
  delivered: 'ok',
  failed: 'critical',
};
const STATUS_LABELS: Readonly<Record<Api.WebhookDelivery['status'], string>> = {
  pending: 'Being tried',
  delivered: 'Delivered',
  failed: 'Given up',
};

interface DeliveriesProps extends PartProps {
  readonly webhook: Api.Webhook;
  readonly mayWrite: boolean;
}

/** Log of the deliveries of a webhook. */
export function Deliveries({ projectId, webhook, search, onSearch, mayWrite }: DeliveriesProps): ReactNode {
  const status = choiceOf(search.status, STATUSES);
  const deliveries = useInfiniteQuery(deliveriesQuery(projectId, webhook.id, status));
  return (
    <Panel
      title="Deliveries"
      hint={<HostileText text={webhook.url} />}
      aside={
        <>
          <InlineSelect
            label="State of the deliveries"
            value={status ?? ''}
            onChange={(value) => onSearch({ ...search, status: value === '' ? undefined : value })}
            options={[{ id: '', label: 'All' }, ...STATUSES.map((id) => ({ id, label: STATUS_LABELS[id] }))]}
          />
          <Button look="quiet" onPress={() => void deliveries.refetch()}>
            Read again
          </Button>
        </>
      }
    >
      <Loaded
        query={{ ...deliveries, data: deliveries.data?.pages.flatMap(({ data }) => data) }}
        label="Deliveries are being read"
        lines={5}
      >
        {(all) =>
          all.length === 0 ? (
            <p className="text-muted">
              {status === undefined ? 'Nothing has been sent yet.' : 'None is in this state.'}
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {all.map((delivery) => (
                <Delivery key={delivery.id} {...{ projectId, delivery, mayWrite, webhook }} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <LoadMore {...deliveries} />
    </Panel>
  );
}

interface DeliveryProps {
  readonly projectId: string;
  readonly webhook: Api.Webhook;
  readonly delivery: Api.WebhookDelivery;
  readonly mayWrite: boolean;
}

function Delivery({ projectId, webhook, delivery, mayWrite }: DeliveryProps): ReactNode {
  const { id, type, status, createdAt, nextTryAt, tries } = delivery;
  const [isOpen, setOpen] = useState(false);
  const redeliver = useChange(() => clew.webhooks.deliveries.redeliver(webhook.id, id, { project: projectId }), {
    invalidates: [['webhook-deliveries', projectId, webhook.id]],
    onDone: () => notify('It is sent again'),
  });
  const last = tries.at(-1);
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>
        <span className="font-medium">{eventText(type)}</span>
        <Time atMs={createdAt} className="text-muted" />
        <span className="text-muted">
          {counted(tries.length, 'try', 'tries')}
          {last === undefined
            ? ''
            : `, the last ${last.statusCode === null ? 'without an answer' : `with ${last.statusCode}`}`}
          {nextTryAt === null ? null : (
            <>
              , the next <Time atMs={nextTryAt} />
            </>
          )}
        </span>
        <span className="ml-auto flex gap-1">
          <Button look="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {isOpen ? 'Less' : 'More'}
          </Button>
          {mayWrite && webhook.enabled && status !== 'pending' ? (
            <Button isDisabled={redeliver.isPending} onPress={() => redeliver.mutate(undefined)}>
              Send again
            </Button>
          ) : null}
        </span>
      </div>
      {isOpen ? <DeliveryFacts delivery={delivery} /> : null}
    </li>
  );
}

function DeliveryFacts({ delivery: { failureReason, tries, data } }: { delivery: Api.WebhookDelivery }): ReactNode {
  return (
    <div className="mt-2 flex flex-col gap-2">
      {failureReason === null ? null : (
        <p className="text-critical">
          <HostileText text={failureReason} />
        </p>
      )}
      {tries.length === 0 ? null : (
        <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-xs">
          {tries.map(({ at, statusCode, durationMs, error, answer }) => (
            <Fragment key={at}>
              <dt className="text-muted tabular-nums">{fullTime(at)}</dt>
              <dd>
                {statusCode ?? 'No answer'} in {duration(durationMs)}{' '}
                {error === null ? null : <HostileText className="text-critical" text={error} />}
                {answer === null || answer === '' ? null : (
                  <HostileText className="block font-mono break-all text-muted" text={answer} />
                )}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      <pre
        tabIndex={0}
        aria-label="What was sent"
        className="max-h-64 overflow-auto rounded-md border border-line bg-sunken px-2.5 py-2 font-mono text-xs"
      >
        <HostileText text={JSON.stringify(data, null, 2)} />
      </pre>
    </div>
  );
}
