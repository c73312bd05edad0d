import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { membersQuery, meQuery } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { FirstUse, Loaded } from '../../ui/states.tsx';
import { invitationsQuery } from '../queries.ts';
import type { PartProps } from '../part-props.ts';
import { AddMemberDialog } from './add-member-dialog.tsx';
import { InvitationsTable } from './invitations-table.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { LinkDialog, type ShownLink } from './link-dialog.tsx';
import { MembersTable } from './members-table.tsx';

/** People of the project, and those who are invited. */
export default function MembersPart({ projectId }: PartProps): ReactNode {
  const members = useQuery(membersQuery(projectId));
  const invitations = useQuery(invitationsQuery(projectId));
  const { data: me } = useQuery(meQuery);
  const [dialog, setDialog] = useState<'invite' | 'add'>();
  const [link, setLink] = useState<ShownLink>();
  const close = () => setDialog(undefined);
  const invite = (
    <Button look="main" onPress={() => setDialog('invite')}>
      Invite
    </Button>
  );
  return (
    <>
      <Panel
        title="Members"
        hint="Viewers read, editors also change, admins also manage members and keys. Owners of the workspace have every project."
        aside={<Button onPress={() => setDialog('add')}>Add somebody with an account</Button>}
      >
        <Loaded query={members} label="Members are being read" lines={4}>
          {(all) =>
            all.length === 0 ? (
              <p className="text-muted">
                Nobody has a role in this project. Owners of the workspace have it all the same.
              </p>
            ) : (
              <MembersTable {...{ projectId }} members={all} ownId={me?.id} />
            )
          }
        </Loaded>
      </Panel>
      <Panel
        title="Invitations"
        hint="Each has a link that works once. It can be copied and given to them by any way; mail is not needed."
        aside={(invitations.data ?? []).length === 0 ? undefined : invite}
      >
        <Loaded query={invitations} label="Invitations are being read" lines={3}>
          {(all) =>
            all.length === 0 ? (
              <FirstUse title="Nobody is invited" action={invite}>
                Invite colleagues by their address. They choose a password, or sign in as they do elsewhere, and see
                this project.
              </FirstUse>
            ) : (
              <InvitationsTable {...{ projectId }} invitations={all} onLink={setLink} />
            )
          }
        </Loaded>
      </Panel>
      {dialog === 'invite' ? (
        <InviteDialog
          {...{ projectId }}
          onClose={close}
          onLink={(made) => {
            close();
            setLink(made);
          }}
        />
      ) : null}
      {dialog === 'add' ? <AddMemberDialog {...{ projectId }} members={members.data ?? []} onClose={close} /> : null}
      {link === undefined ? null : <LinkDialog {...link} onClose={() => setLink(undefined)} />}
    </>
  );
}
