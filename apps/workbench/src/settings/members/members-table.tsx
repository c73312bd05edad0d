import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { membersQuery, meQuery } from '../../api/queries.ts';
import { useChange } from '../../ui/use-change.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { visibleText } from '../../text/visible-text.ts';
import { Badge } from '../../ui/badges.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { InlineSelect } from '../../ui/inline-select.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { roleNamed, ROLES, type Role } from './roles.ts';

interface MembersTableProps {
  readonly projectId: string;
  readonly members: readonly Api.Member[];
  readonly ownId: string | undefined;
}

/** Members with their roles; those of owners and of sign-in providers are given elsewhere. */
export function MembersTable({ projectId, members, ownId }: MembersTableProps): ReactNode {
  const columns: TableColumn<Api.Member>[] = [
    {
      id: 'person',
      header: 'Person',
      cell: ({ userId, name, email, state }) => (
        <>
          <span className="flex flex-wrap items-center gap-1.5">
            <HostileText className="font-medium" text={name} />
            {userId === ownId ? <Badge tone="info">You</Badge> : null}
            {state === 'deactivated' ? <Badge tone="medium">Deactivated</Badge> : null}
          </span>
          <HostileText className="text-xs text-muted" text={email} />
        </>
      ),
    },
    { id: 'role', header: 'Role', cell: (member) => <MemberRole {...{ projectId, member, ownId }} /> },
    {
      id: 'deeds',
      header: <span className="sr-only">Deeds</span>,
      className: 'text-right',
      cell: (member) => <RemoveMember {...{ projectId, member, ownId }} />,
    },
  ];
  return <Table label="Members" rows={members} columns={columns} idOf={({ userId }) => userId} />;
}

interface MemberProps {
  readonly projectId: string;
  readonly member: Api.Member;
  readonly ownId: string | undefined;
}

function MemberRole({ projectId, member }: MemberProps): ReactNode {
  const { userId, name, role, owner, managedBy } = member;
  const change = useChange((next: Role) => clew.members.set(userId, { role: next }, { project: projectId }), {
    invalidates: [membersQuery(projectId).queryKey, meQuery.queryKey],
  });
  if (owner) return <Badge tone="ok">Owner of the workspace</Badge>;
  if (managedBy !== null) {
    return (
      <span className="flex flex-wrap items-center gap-1.5">
        {ROLES.find(({ id }) => id === role)?.label}
        <span title="The role comes from their groups there, at each sign-in">
          <Badge tone="low">
            Managed by <HostileText text={managedBy} />
          </Badge>
        </span>
      </span>
    );
  }
  return (
    <InlineSelect
      label={`Role of ${visibleText(name)}`}
      value={change.isPending ? (change.variables ?? role) : role}
      options={ROLES}
      isDisabled={change.isPending}
      isDeed
      onChange={(next) => change.mutate(roleNamed(next) ?? role)}
    />
  );
}

function RemoveMember({ projectId, member, ownId }: MemberProps): ReactNode {
  const { userId, name, owner, managedBy } = member;
  const remove = useChange(() => clew.members.remove(userId, { project: projectId }), {
    invalidates: [membersQuery(projectId).queryKey, meQuery.queryKey],
  });
  if (owner || managedBy !== null) return null;
  return (
    <ConfirmButton
      label={userId === ownId ? 'Leave…' : 'Remove…'}
      title={userId === ownId ? 'Leave the project?' : `Remove ${visibleText(name)}?`}
      confirmLabel={userId === ownId ? 'Leave' : 'Remove'}
      isDisabled={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
    >
      {userId === ownId
        ? 'You lose this project at once. An admin can add you again.'
        : 'They lose this project at once. Their account and their other projects stay.'}
    </ConfirmButton>
  );
}
