import type { ReactNode, RefObject } from 'react';
import { Dialog, Popover, type PopoverProps } from 'react-aria-components';
import { cx } from './cx.ts';

export interface PopoverDialogProps {
  readonly id: string;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly title: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly placement?: PopoverProps['placement'];
  readonly className?: string;
  /** Contents of the dialog. */
  readonly children: ReactNode;
}

/** Small dialog beside its button. */
export default function PopoverDialog(props: PopoverDialogProps): ReactNode {
  const { id, button, title, isOpen, onOpenChange, placement = 'bottom', className, children } = props;
  return (
    <Popover
      {...{ isOpen, onOpenChange, placement }}
      triggerRef={button}
      offset={4}
      className={cx('rounded-lg border border-line-strong bg-raised shadow-xl', className)}
    >
      <Dialog id={id} aria-label={title} className="outline-none">
        {children}
      </Dialog>
    </Popover>
  );
}
