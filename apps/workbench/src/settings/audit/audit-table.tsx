import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { changedFields, fieldText } from '../../api/changed-fields.ts';
import { useNames } from '../../api/use-names.ts';
import { words } from '../../text/format.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { Time } from '../../text/time.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { keysQuery } from '../queries.ts';
import { actionText } from './audit-filter.ts';

interface AuditTableProps {
  readonly projectId: string;
  readonly entries: readonly Api.AuditRecord[];
}

/** Entries of the audit, with what each changed. */
export function AuditTable({ projectId, entries }: AuditTableProps): ReactNode {
  const nameOf = useNames(projectId);
  const { data: keys = [] } = useQuery(keysQuery(projectId));
  const names = new Map(keys.map(({ id, name }) => [id, `Key ${name}`]));
  const textOf = (id: string) => names.get(id) ?? nameOf(id);
  const columns: TableColumn<Api.AuditRecord>[] = [
    { id: 'at', header: 'When', className: 'whitespace-nowrap', cell: ({ at }) => <Time atMs={at} /> },
    {
      id: 'actor',
      header: 'Who',
      cell: ({ actor, address }) => (
        <>
          <HostileText
            className="font-medium break-all"
            text={actor.kind === 'bootstrap' ? 'The set-up' : textOf(actor.id)}
          />
          <span className="block text-xs text-muted">{address === null ? actor.kind : `from ${address}`}</span>
        </>
      ),
    },
    {
      id: 'deed',
      header: 'What',
      cell: ({ action, requestId }) => (
        <>
          {actionText(action)}
          <span className="block font-mono text-xs text-muted">{requestId}</span>
        </>
      ),
    },
    {
      id: 'target',
      header: 'To',
      cell: ({ target }) => (
        <>
          <HostileText className="break-all" text={textOf(target.id)} />
          <span className="block text-xs text-muted">{words(target.kind)}</span>
        </>
      ),
    },
    { id: 'change', header: 'Changed', cell: (entry) => <Changes entry={entry} /> },
  ];
  return <Table label="Audit" rows={entries} columns={columns} idOf={({ id }) => id} />;
}

function Changes({ entry: { before, after } }: { readonly entry: Api.AuditRecord }): ReactNode {
  if (before === null && after === null) return null;
  const changes = changedFields(before ?? {}, after ?? {});
  return (
    <dl className="max-w-96 text-xs">
      {changes.map((change) => (
        <div key={change.name} className="line-clamp-3 break-words">
          <dt className="inline text-muted">{change.name}: </dt>
          <dd className="inline">
            {before === null ? null : (
              <>
                <s className="text-muted">
                  <HostileText text={fieldText(change.before)} />
                </s>{' '}
              </>
            )}
            {after === null ? null : <HostileText text={fieldText(change.after)} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
