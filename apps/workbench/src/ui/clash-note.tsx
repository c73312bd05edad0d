import type { ReactNode } from 'react';
import { fieldText, type ChangedField } from '../api/changed-fields.ts';
import { sentence } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Button } from './button.tsx';

interface ClashNoteProps {
  /** Thing that was changed, as in `the Example`. */
  readonly thing?: string;
  /** Difference between how it was and how it is now. */
  readonly children: ReactNode;
  /** Ways on; absent where the next save is the way on. */
  readonly onMine?: () => void;
  readonly onTheirs?: () => void;
  readonly mineLabel?: string;
}

/** Says that somebody else has changed a thing while its form was open, and what; the form keeps what was typed. */
export function ClashNote(props: ClashNoteProps): ReactNode {
  const { thing = 'it', children, onMine, onTheirs, mineLabel = 'Save mine over it' } = props;
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md border border-medium bg-medium-soft px-3 py-2.5">
      <p className="font-medium text-medium">Somebody else has changed {thing} meanwhile. Your draft is kept.</p>
      {children}
      {onMine === undefined && onTheirs === undefined ? null : (
        <div className="flex gap-2">
          {onMine === undefined ? null : <Button onPress={onMine}>{mineLabel}</Button>}
          {onTheirs === undefined ? null : <Button onPress={onTheirs}>Take theirs</Button>}
        </div>
      )}
    </div>
  );
}

/** The same for a form whose fields tell by themselves what has changed; the next save goes over it. */
export function FieldClash({ clash }: { readonly clash: readonly ChangedField[] | undefined }): ReactNode {
  if (clash === undefined) return null;
  return (
    <ClashNote>
      <ul>
        {clash.map(({ name, before, after }) => (
          <li key={name}>
            {sentence(name)}: <HostileText text={fieldText(before)} /> is now <HostileText text={fieldText(after)} />
          </li>
        ))}
      </ul>
      <p className="text-medium">Saving again puts your changes over it, and leaves the rest.</p>
    </ClashNote>
  );
}
