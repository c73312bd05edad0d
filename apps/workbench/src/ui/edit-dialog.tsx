import type { ReactNode } from 'react';
import type { Edit } from '../api/use-edit.ts';
import { FieldClash } from './clash-note.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Skeleton } from './states.tsx';

interface EditDialogProps<Thing, Input> {
  readonly title: string;
  readonly edit: Edit<Thing, Input>;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  readonly fields?: readonly string[];
  readonly isIncomplete?: boolean;
  readonly isWide?: boolean;
  readonly children: (thing: Thing) => ReactNode;
}

/** Form of a thing that is there already. */
export function EditDialog<Thing, Input>(props: EditDialogProps<Thing, Input>): ReactNode {
  const { title, edit, onClose, onSubmit, fields, isIncomplete, isWide, children } = props;
  const { thing, clash } = edit;
  return (
    <FormDialog
      {...{ title, onClose, onSubmit, fields, isWide }}
      submitLabel={clash === undefined ? 'Save' : 'Save over it'}
      isPending={edit.isPending}
      isIncomplete={thing === undefined || isIncomplete === true}
      error={edit.error ?? edit.readError}
    >
      {thing === undefined ? (
        edit.readError === null ? (
          <Skeleton label="It is being read" lines={3} />
        ) : null
      ) : (
        children(thing)
      )}
      <FieldClash clash={clash} />
    </FormDialog>
  );
}
