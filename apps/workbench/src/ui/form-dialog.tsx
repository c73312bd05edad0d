import { useId, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { FormProblem } from './form-problem.tsx';
import { ModalDialog } from './overlay.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Names of the fields that show their own messages. */
  readonly fields?: readonly string[];
  readonly isIncomplete?: boolean;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** Form over the page. What was typed stays until the API has taken it. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { title, submitLabel, onSubmit, onClose, isPending, error, fields, isIncomplete, isWide, children } = props;
  const id = useId();
  return (
    <ModalDialog
      {...{ title, onClose, isWide }}
      isOpen
      staysOpen
      closeLabel="Cancel"
      actions={
        <Button type="submit" form={id} look="main" isDisabled={isPending || isIncomplete === true}>
          {submitLabel}
        </Button>
      }
    >
      <form
        id={id}
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending && isIncomplete !== true) onSubmit();
        }}
      >
        {children}
        <FormProblem {...{ error, fields }} />
      </form>
    </ModalDialog>
  );
}
