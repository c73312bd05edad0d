import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { projectsQuery } from '../../api/queries.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { sentence } from '../../text/format.ts';
import { Time } from '../../text/time.tsx';
import { Badge } from '../../ui/badges.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import type { ShownLink } from '../members/link-dialog.tsx';
import { PersonDeeds } from './person-deeds.tsx';

interface PeopleTableProps {
  readonly people: readonly Api.Person[];
  readonly ownId: string | undefined;
  readonly onLink: (link: ShownLink) => void;
}

/** People with their roles in projects. */
export function PeopleTable({ people, ownId, onLink }: PeopleTableProps): ReactNode {
  const { data: projects = [] } = useQuery(projectsQuery);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const columns: TableColumn<Api.Person>[] = [
    {
      id: 'person',
      header: 'Person',
      cell: ({ id, name, email, state }) => (
        <>
          <span className="flex flex-wrap items-center gap-1.5">
            <HostileText className="font-medium" text={name} />
            {id === ownId ? <Badge tone="info">You</Badge> : null}
            {state === 'deactivated' ? <Badge tone="medium">Deactivated</Badge> : null}
          </span>
          <HostileText className="text-xs text-muted" text={email} />
        </>
      ),
    },
    {
      id: 'roles',
      header: 'Roles',
      cell: ({ owner, memberships }) =>
        owner ? (
          <Badge tone="ok">Owner of the workspace</Badge>
        ) : memberships.length === 0 ? (
          <span className="text-muted">In no project</span>
        ) : (
          <ul>
            {memberships.map(({ projectId, role, managedBy }) => (
              <li key={projectId}>
                {sentence(role)} of <HostileText text={names.get(projectId) ?? projectId} />
                {managedBy === undefined ? null : (
                  <span className="text-xs text-muted">
                    {' '}
                    by <HostileText text={managedBy} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        ),
    },
    {
      id: 'seen',
      header: 'Signed in',
      className: 'whitespace-nowrap',
      cell: ({ lastSignedInAt }) =>
        lastSignedInAt === null ? <span className="text-muted">Never</span> : <Time atMs={lastSignedInAt} />,
    },
    {
      id: 'deeds',
      header: <span className="sr-only">Deeds</span>,
      className: 'text-right',
      cell: (person) => <PersonDeeds {...{ person, onLink }} isSelf={person.id === ownId} />,
    },
  ];
  return <Table label="People" rows={people} columns={columns} idOf={({ id }) => id} />;
}
