import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { counted } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Button, CommandButton, Keys } from '../ui/button.tsx';
import { CheckField, TextField } from '../ui/fields.tsx';
import { ModalDialog } from '../ui/overlay.tsx';
import { tagChange, tagsIn, type ExamplesChange } from './bulk.ts';

interface BarProps {
  readonly examples: readonly Api.Example[];
  readonly isPending: boolean;
  readonly onChange: (change: ExamplesChange) => void;
}

/** Buttons that tag and delete Examples. */
export function BulkBar({ examples, isPending, onChange }: BarProps): ReactNode {
  const [open, setOpen] = useState<'tag' | 'delete'>();
  const isDisabled = examples.length === 0 || isPending;
  const close = () => setOpen(undefined);
  return (
    <div role="group" aria-label="Change" className="flex items-center gap-1.5">
      <CommandButton command="example.tag" isDisabled={isDisabled} onPress={() => setOpen('tag')}>
        Tag <Keys command="example.tag" />
      </CommandButton>
      <CommandButton command="example.delete" isDisabled={isDisabled} onPress={() => setOpen('delete')} />
      {open === 'tag' ? <TagDialog {...{ examples, onChange }} onClose={close} /> : null}
      <ModalDialog
        title={`Delete ${counted(examples.length, 'Example')}?`}
        isOpen={open === 'delete'}
        onClose={close}
        closeLabel="Cancel"
        actions={
          <Button
            autoFocus
            look="danger"
            onPress={() => {
              close();
              onChange({ delete: true });
            }}
          >
            Delete
          </Button>
        }
      >
        Earlier versions of the Dataset keep them. What a person has deleted is not collected again.
      </ModalDialog>
    </div>
  );
}

interface TagProps {
  readonly examples: readonly Api.Example[];
  readonly onChange: (change: ExamplesChange) => void;
  readonly onClose: () => void;
}

const SHOWN_TAGS = 20;

function TagDialog({ examples, onChange, onClose }: TagProps): ReactNode {
  const [added, setAdded] = useState('');
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const change = tagChange(added, [...removed]);
  const save = () => {
    onClose();
    if (change !== undefined) onChange(change);
  };
  const toggle = (tag: string) => {
    const next = new Set(removed);
    if (!next.delete(tag)) next.add(tag);
    setRemoved(next);
  };
  const present = tagsIn(examples).slice(0, SHOWN_TAGS);
  return (
    <ModalDialog
      title={`Tag ${counted(examples.length, 'Example')}`}
      isOpen
      onClose={onClose}
      closeLabel="Cancel"
      actions={
        <Button look="main" isDisabled={change === undefined} onPress={save}>
          Tag
        </Button>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField
          autoFocus
          label="Add"
          value={added}
          maxLength={2_000}
          hint="Several are separated by commas. split:train, split:validation and split:test put Examples into a split."
          onChange={setAdded}
        />
        {present.length === 0 ? null : (
          <fieldset className="flex flex-col gap-1.5">
            <legend className="mb-1 font-medium">Take away</legend>
            {present.map(({ tag, number }) => (
              <CheckField
                key={tag}
                label={
                  <>
                    <HostileText text={tag} /> <span className="text-xs text-muted">{number}</span>
                  </>
                }
                isChecked={removed.has(tag)}
                onChange={() => toggle(tag)}
              />
            ))}
          </fieldset>
        )}
      </form>
    </ModalDialog>
  );
}
