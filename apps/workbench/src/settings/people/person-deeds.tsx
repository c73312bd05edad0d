import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { useChange } from '../../ui/use-change.ts';
import { visibleText } from '../../text/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ChoiceMenu } from '../../ui/menu.tsx';
import { notify } from '../../ui/notices.tsx';
import { ModalDialog } from '../../ui/overlay.tsx';
import type { ShownLink } from '../members/link-dialog.tsx';
import { deedsFor, type PersonDeed } from './deeds.ts';

interface PersonDeedsProps {
  readonly person: Api.Person;
  readonly isSelf: boolean;
  readonly onLink: (link: ShownLink) => void;
}

/** Menu of what can be done about somebody's account; the API keeps the last owner. */
export function PersonDeeds({ person, isSelf, onLink }: PersonDeedsProps): ReactNode {
  const [asked, setAsked] = useState<PersonDeed>();
  const { id, email } = person;
  const name = visibleText(person.name);
  const change = useChange((body: Api.UpdatePersonData['body']) => clew.people.update(id, body), {
    invalidates: [['people'], ['members'], ['me']],
    onDone: () => notify(`${name} is changed`),
  });
  const remove = useChange(() => clew.people.delete(id), {
    invalidates: [['people'], ['members']],
    onDone: () => notify(`The account of ${name} is deleted`),
  });
  const reset = useChange(() => clew.people.createResetLink(id), {
    invalidates: [],
    onDone: ({ link, expiresAt }) => onLink({ email, link, expiresAt, kind: 'reset' }),
  });
  const run: Readonly<Record<PersonDeed, () => void>> = {
    reset: () => reset.mutate(undefined),
    'make-owner': () => change.mutate({ owner: true }),
    'unmake-owner': () => change.mutate({ owner: false }),
    deactivate: () => change.mutate({ state: 'deactivated' }),
    reactivate: () => change.mutate({ state: 'active' }),
    delete: () => remove.mutate(undefined),
  };
  const deeds = deedsFor(person, isSelf);
  return (
    <>
      <ChoiceMenu
        look="quiet"
        ariaLabel={`Deeds for ${name}`}
        label="Change…"
        isDisabled={change.isPending || remove.isPending || reset.isPending}
        sections={[{ choices: deeds.map(({ id: deed, label }) => ({ id: deed, label, text: label })) }]}
        onChoose={(chosen) => {
          const deed = deeds.find((each) => each.id === chosen);
          if (deed === undefined) return;
          if (deed.question === undefined) run[deed.id]();
          else setAsked(deed.id);
        }}
      />
      {asked === undefined ? null : (
        <Question
          deed={deeds.find((each) => each.id === asked)}
          person={person}
          onClose={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined);
            run[asked]();
          }}
        />
      )}
    </>
  );
}

interface QuestionProps {
  readonly deed: ReturnType<typeof deedsFor>[number] | undefined;
  readonly person: Api.Person;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

function Question({ deed, person, onClose, onConfirm }: QuestionProps): ReactNode {
  const [typed, setTyped] = useState('');
  if (deed === undefined) return null;
  const mustType = deed.id === 'delete';
  return (
    <ModalDialog
      isOpen
      title={`${deed.label}: ${visibleText(person.name)}`}
      closeLabel="Cancel"
      onClose={onClose}
      actions={
        <Button look="danger" isDisabled={mustType && typed.trim() !== person.email} onPress={onConfirm}>
          {deed.label}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p>{deed.question}</p>
        {mustType ? (
          <TextField
            isMono
            label={
              <>
                Type <code className="font-mono text-xs">{person.email}</code>
              </>
            }
            value={typed}
            onChange={setTyped}
          />
        ) : null}
      </div>
    </ModalDialog>
  );
}
