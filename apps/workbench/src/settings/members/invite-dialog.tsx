import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { clew } from '../../api/client.ts';
import { meQuery } from '../../api/queries.ts';
import { useChange } from '../../ui/use-change.ts';
import { fieldErrors } from '../../ui/field-errors.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { ShownLink } from './link-dialog.tsx';
import { ROLE_OPTIONS, roleNamed } from './roles.ts';

interface InviteDialogProps {
  readonly projectId: string;
  readonly onClose: () => void;
  readonly onLink: (link: ShownLink) => void;
}

const OWNER = { id: 'owner', label: 'Owner: has the whole workspace with all its projects' };

/** Form that invites somebody to the project, or to the workspace. */
export function InviteDialog({ projectId, onClose, onLink }: InviteDialogProps): ReactNode {
  const { data: me } = useQuery(meQuery);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('viewer');
  const invite = useChange(
    () => {
      const projectRole = roleNamed(role);
      const rights =
        projectRole === undefined ? { role: 'owner' as const } : { projectRoles: [{ projectId, role: projectRole }] };
      return clew.invitations.create({ email: email.trim(), ...rights });
    },
    {
      invalidates: [['invitations']],
      onDone: ({ invitation, link }) =>
        onLink({ link, email: invitation.email, expiresAt: invitation.expiresAt, kind: 'invitation' }),
      onError: () => undefined,
    },
  );
  const errors = fieldErrors(invite.error);
  return (
    <FormDialog
      {...{ onClose }}
      title="Invite somebody"
      submitLabel="Make the link"
      fields={['email']}
      isPending={invite.isPending}
      isIncomplete={email.trim() === ''}
      error={invite.error}
      onSubmit={() => invite.mutate(undefined)}
    >
      <TextField
        label="E-mail address"
        type="email"
        autoFocus
        value={email}
        onChange={setEmail}
        maxLength={254}
        error={errors.get('email')}
        hint={me?.features.mail === true ? 'The link is also sent there.' : 'They sign in with it. No mail is sent.'}
      />
      <SelectField
        label="Role"
        value={role}
        onChange={setRole}
        options={me?.owner === true ? [...ROLE_OPTIONS, OWNER] : ROLE_OPTIONS}
      />
    </FormDialog>
  );
}
