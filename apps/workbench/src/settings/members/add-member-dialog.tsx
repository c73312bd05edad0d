import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { membersQuery } from '../../api/queries.ts';
import { useChange } from '../../ui/use-change.ts';
import { notify } from '../../ui/notices.tsx';
import { visibleText } from '../../text/visible-text.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { peopleQuery } from '../queries.ts';
import { ROLE_OPTIONS, roleNamed } from './roles.ts';

interface AddMemberDialogProps {
  readonly projectId: string;
  readonly members: readonly Api.Member[];
  readonly onClose: () => void;
}

/** Form that gives a role to somebody who has an account already. */
export function AddMemberDialog({ projectId, members, onClose }: AddMemberDialogProps): ReactNode {
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState('');
  const [role, setRole] = useState('viewer');
  const q = words.trim();
  const people = useInfiniteQuery(peopleQuery({ state: 'active', ...(q === '' ? {} : { q }) }));
  const present = new Set(members.map(({ userId }) => userId));
  const others = (people.data?.pages ?? []).flatMap(({ data }) => data).filter(({ id }) => !present.has(id));
  const personId = others.some(({ id }) => id === chosen) ? chosen : (others[0]?.id ?? '');
  const add = useChange(
    () => clew.members.set(personId, { role: roleNamed(role) ?? 'viewer' }, { project: projectId }),
    {
      invalidates: [membersQuery(projectId).queryKey],
      onDone: () => {
        onClose();
        notify('They have the project from now on');
      },
      onError: () => undefined,
    },
  );
  const options = others.map(({ id, name, email }) => ({ id, label: visibleText(`${name} (${email})`) }));
  return (
    <FormDialog
      {...{ onClose }}
      title="Add somebody with an account"
      submitLabel="Add"
      isPending={add.isPending}
      isIncomplete={personId === ''}
      error={add.error ?? people.error}
      onSubmit={() => add.mutate(undefined)}
    >
      <TextField label="Name or address" value={words} onChange={setWords} maxLength={200} autoFocus />
      <SelectField
        label="Person"
        value={personId}
        onChange={setChosen}
        isDisabled={others.length === 0}
        hint={others.length === 0 && !people.isPending ? 'Nobody else has an account: invite them.' : undefined}
        options={options.length === 0 ? [{ id: '', label: 'Nobody' }] : options}
      />
      <SelectField label="Role" value={role} onChange={setRole} options={ROLE_OPTIONS} />
    </FormDialog>
  );
}
