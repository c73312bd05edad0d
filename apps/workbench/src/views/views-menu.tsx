import { Bookmark } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { parseSearch, stringifySearch } from './search-params.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { visibleText } from '../text/visible-text.ts';
import { Button, Keys } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { ChoiceMenu } from '../ui/menu.tsx';
import { ModalDialog } from '../ui/overlay.tsx';
import { MAX_NAME, nameProblem, type ViewedList } from './saved-views.ts';
import { useSavedViews, type SavedViews } from './use-saved-views.ts';

interface ViewsMenuProps {
  readonly list: ViewedList;
  readonly projectId: string;
  /** State of the list, as its page reads it. */
  readonly search: Readonly<Record<string, unknown>>;
  /** Takes a state as it stands in an address. */
  readonly onSearch: (search: Readonly<Record<string, string>>) => void;
}

const SAVE = 'save';
const REMOVE = 'remove';
const VIEW = 'view ';

/** Menu of the views of a list that the person has saved. */
export function ViewsMenu({ list, projectId, search, onSearch }: ViewsMenuProps): ReactNode {
  const saved = useSavedViews(list, projectId);
  const [dialog, setDialog] = useState<typeof SAVE | typeof REMOVE>();
  const here = stringifySearch(search);
  const shown = saved.views.find((view) => view.search === here);
  const label = shown === undefined ? 'Views' : visibleText(shown.name);
  const close = () => setDialog(undefined);
  return (
    <>
      <ChoiceMenu
        command="views.open"
        look="quiet"
        ariaLabel={shown === undefined ? 'Views' : `View: ${label}`}
        label={
          <>
            <Bookmark aria-hidden className="size-3.5" />
            <span className="max-w-40 truncate">{label}</span> <Keys command="views.open" />
          </>
        }
        sections={[
          ...(saved.views.length === 0
            ? []
            : [
                {
                  title: 'Your views',
                  choices: saved.views.map(({ name }) => ({
                    id: `${VIEW}${name}`,
                    label: <HostileText text={name} />,
                    text: name,
                    isChosen: name === shown?.name,
                  })),
                },
              ]),
          {
            choices: [
              { id: SAVE, label: 'Save what is shown…', text: 'Save what is shown' },
              ...(saved.views.length === 0 ? [] : [{ id: REMOVE, label: 'Remove views…', text: 'Remove views' }]),
            ],
          },
        ]}
        onChoose={(id) => {
          if (id === SAVE || id === REMOVE) return setDialog(id);
          const view = saved.views.find(({ name }) => `${VIEW}${name}` === id);
          if (view !== undefined) onSearch(parseSearch(view.search));
        }}
      />
      {dialog === SAVE ? <SaveDialog {...{ saved, search: here }} onClose={close} /> : null}
      {dialog === REMOVE ? <RemoveDialog saved={saved} onClose={close} /> : null}
    </>
  );
}

interface DialogProps {
  readonly saved: SavedViews;
  readonly onClose: () => void;
}

function SaveDialog({ saved, search, onClose }: DialogProps & { readonly search: string }): ReactNode {
  const [name, setName] = useState('');
  const problem = nameProblem(saved.views, name);
  const isTaken = saved.views.some((view) => view.name === name.trim());
  return (
    <FormDialog
      title="Save the view"
      submitLabel={isTaken ? 'Replace it' : 'Save'}
      onClose={onClose}
      isPending={false}
      isIncomplete={problem !== undefined}
      error={null}
      onSubmit={() => {
        saved.save({ name: name.trim(), search });
        onClose();
      }}
    >
      <TextField
        autoFocus
        label="Name"
        hint="Filters and order are kept under it, by this browser, for you and this project."
        error={name.trim() === '' ? undefined : problem}
        value={name}
        onChange={setName}
        maxLength={MAX_NAME}
      />
    </FormDialog>
  );
}

function RemoveDialog({ saved, onClose }: DialogProps): ReactNode {
  return (
    <ModalDialog title="Remove views" isOpen onClose={onClose}>
      {saved.views.length === 0 ? <p className="text-muted">None is left.</p> : null}
      <ul>
        {saved.views.map(({ name }) => (
          <li key={name} className="flex items-center gap-2 border-b border-line py-1 last:border-b-0">
            <HostileText className="min-w-0 flex-1 truncate" text={name} />
            <Button look="danger" aria-label={`Remove ${visibleText(name)}`} onPress={() => saved.remove(name)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </ModalDialog>
  );
}
