import { useState, type ReactNode } from 'react';
import { Button, type ButtonLook } from './button.tsx';
import { TextField } from './fields.tsx';
import { ModalDialog } from './overlay.tsx';

interface ConfirmButtonProps {
  readonly label: ReactNode;
  readonly title: string;
  /** Consequences, in plain words. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  readonly onConfirm: () => void;
  /** Text that has to be typed first, for what nobody can bring back. */
  readonly typed?: string;
  readonly look?: ButtonLook;
  readonly isDisabled?: boolean;
}

/** Button of a deed that is asked about once more. */
export function ConfirmButton(props: ConfirmButtonProps): ReactNode {
  const { label, title, children, confirmLabel, onConfirm, typed, look = 'quiet', isDisabled } = props;
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const close = () => {
    setOpen(false);
    setText('');
  };
  return (
    <>
      <Button look={look} isDisabled={isDisabled} onPress={() => setOpen(true)}>
        {label}
      </Button>
      <ModalDialog
        {...{ title, isOpen }}
        onClose={close}
        closeLabel="Cancel"
        actions={
          <Button
            look="danger"
            isDisabled={typed !== undefined && text.trim() !== typed}
            onPress={() => {
              close();
              onConfirm();
            }}
          >
            {confirmLabel}
          </Button>
        }
      >
        <div className="flex flex-col gap-3">
          {children}
          {typed === undefined ? null : (
            <TextField
              label={
                <>
                  Type <code className="font-mono text-xs">{typed}</code>
                </>
              }
              value={text}
              onChange={setText}
              isMono
            />
          )}
        </div>
      </ModalDialog>
    </>
  );
}
