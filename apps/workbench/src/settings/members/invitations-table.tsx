import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { useChange } from '../../ui/use-change.ts';
import { useNames } from '../../api/use-names.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { Time } from '../../text/time.tsx';
import { visibleText } from '../../text/visible-text.ts';
import { Badge } from '../../ui/badges.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { notify } from '../../ui/notices.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import type { ShownLink } from './link-dialog.tsx';
import { invitedText, mailText } from './roles.ts';

interface InvitationsTableProps {
  readonly projectId: string;
  readonly invitations: readonly Api.Invitation[];
  readonly onLink: (link: ShownLink) => void;
}

/** Invitations that nobody has accepted yet. */
export function InvitationsTable({ projectId, invitations, onLink }: InvitationsTableProps): ReactNode {
  const nameOf = useNames(projectId);
  const columns: TableColumn<Api.Invitation>[] = [
    {
      id: 'email',
      header: 'Address',
      cell: ({ email, mail }) => (
        <>
          <HostileText className="font-medium" text={email} />
          <span className="block text-xs text-muted">{mailText(mail)}</span>
        </>
      ),
    },
    { id: 'role', header: 'Role', cell: (invitation) => invitedText(invitation, projectId) },
    {
      id: 'made',
      header: 'Made',
      cell: ({ createdAt, createdBy }) => (
        <>
          <Time atMs={createdAt} />
          <span className="block text-xs text-muted">
            by <HostileText text={nameOf(createdBy)} />
          </span>
        </>
      ),
    },
    {
      id: 'end',
      header: 'Link ends',
      cell: ({ expiresAt }) =>
        expiresAt < Date.now() ? <Badge tone="medium">Has ended</Badge> : <Time atMs={expiresAt} />,
    },
    {
      id: 'deeds',
      header: <span className="sr-only">Deeds</span>,
      className: 'text-right whitespace-nowrap',
      cell: (invitation) => <InvitationDeeds {...{ invitation, onLink }} />,
    },
  ];
  return <Table label="Invitations" rows={invitations} columns={columns} idOf={({ id }) => id} />;
}

interface DeedsProps {
  readonly invitation: Api.Invitation;
  readonly onLink: (link: ShownLink) => void;
}

function InvitationDeeds({ invitation: { id, email }, onLink }: DeedsProps): ReactNode {
  const renew = useChange(() => clew.invitations.createLink(id), {
    invalidates: [['invitations']],
    onDone: ({ invitation, link }) => onLink({ email, link, expiresAt: invitation.expiresAt, kind: 'invitation' }),
  });
  const withdraw = useChange(() => clew.invitations.withdraw(id), {
    invalidates: [['invitations']],
    onDone: () => notify(`The invitation of ${visibleText(email)} is withdrawn`),
  });
  return (
    <span className="inline-flex gap-1">
      <Button look="quiet" isDisabled={renew.isPending} onPress={() => renew.mutate(undefined)}>
        New link
      </Button>
      <ConfirmButton
        label="Withdraw…"
        title={`Withdraw the invitation of ${visibleText(email)}?`}
        confirmLabel="Withdraw"
        isDisabled={withdraw.isPending}
        onConfirm={() => withdraw.mutate(undefined)}
      >
        Its link stops working at once.
      </ConfirmButton>
    </span>
  );
}
