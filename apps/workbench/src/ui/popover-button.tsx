import { lazy, useId, useRef, type ReactNode } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { OnceOpened } from './once-opened.tsx';
import type { PopoverDialogProps } from './popover-dialog.tsx';

/** Code of the dialog, which comes when one is about to be opened for the first time. */
const loadDialog = () => import('./popover-dialog.tsx');
const PopoverDialog = lazy(loadDialog);

export interface PopoverButtonProps extends Omit<PopoverDialogProps, 'id' | 'button'> {
  readonly button: Pick<ButtonProps, 'look' | 'className' | 'children'>;
}

/** Button that opens a small dialog beside it. */
export function PopoverButton({ button: shown, ...dialog }: PopoverButtonProps): ReactNode {
  const { isOpen, onOpenChange } = dialog;
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    <>
      <Button
        {...shown}
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onHoverStart={() => void loadDialog()}
        onFocus={() => void loadDialog()}
        onPress={() => onOpenChange(true)}
      />
      <OnceOpened isOpen={isOpen}>
        <PopoverDialog {...dialog} {...{ id, button }} />
      </OnceOpened>
    </>
  );
}
