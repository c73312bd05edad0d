import type { ReactNode, RefObject } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import { cx } from './cx.ts';
import type { PopoverButtonProps } from './popover-button.tsx';

interface PopoverDialogProps extends Pick<
  PopoverButtonProps,
  'title' | 'isOpen' | 'onOpenChange' | 'placement' | 'className' | 'children'
> {
  readonly id: string;
  readonly button: RefObject<HTMLButtonElement | null>;
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
