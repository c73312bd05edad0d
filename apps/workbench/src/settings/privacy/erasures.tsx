import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { useNames } from '../../api/use-names.ts';
import { count, sentence } from '../../text/format.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { Time } from '../../text/time.tsx';
import { Badge } from '../../ui/badges.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { erasuresQuery } from '../queries.ts';
import { removedText } from './masking-form.ts';

/** Conversations that were erased, each with its receipt. */
export function Erasures({ projectId }: { readonly projectId: string }): ReactNode {
  const erasures = useInfiniteQuery(erasuresQuery(projectId));
  const nameOf = useNames(projectId);
  const columns: TableColumn<Api.Erasure>[] = [
    {
      id: 'receipt',
      header: 'Receipt',
      className: 'whitespace-nowrap',
      cell: ({ id, status }) => (
        <>
          <code className="font-mono text-xs">{id}</code>
          <CopyButton text={id} />
          <span className="block">
            <Badge tone={status === 'completed' ? 'ok' : 'medium'}>{sentence(status)}</Badge>
          </span>
        </>
      ),
    },
    {
      id: 'asked',
      header: 'Asked for',
      cell: ({ requestedAt, requestedBy }) => (
        <>
          <Time atMs={requestedAt} />
          <span className="block text-xs text-muted">
            by <HostileText text={nameOf(requestedBy.id)} />
          </span>
        </>
      ),
    },
    {
      id: 'conversation',
      header: 'Conversation',
      cell: ({ conversationId }) => <code className="font-mono text-xs break-all">{conversationId}</code>,
    },
    {
      id: 'removed',
      header: 'It removed',
      cell: ({ services }) => (
        <ul>
          {Object.entries(services)
            .filter(([, removed]) => Object.values(removed).some((number) => number > 0))
            .map(([service, removed]) => (
              <li key={service}>
                {sentence(service)}: {removedText(removed, count)}
              </li>
            ))}
        </ul>
      ),
    },
  ];
  return (
    <Panel title="Erasures" hint="A conversation is erased from its own page, in all services at once.">
      <Loaded
        query={{ ...erasures, data: erasures.data?.pages.flatMap(({ data }) => data) }}
        label="Erasures are being read"
        lines={3}
      >
        {(all) =>
          all.length === 0 ? (
            <p className="text-muted">No conversation was erased.</p>
          ) : (
            <Table label="Erasures" rows={all} columns={columns} idOf={({ id }) => id} />
          )
        }
      </Loaded>
      <LoadMore {...erasures} />
    </Panel>
  );
}
