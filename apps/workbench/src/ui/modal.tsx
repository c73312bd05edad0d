import type { ReactNode } from 'react';
import { Dialog, Heading, Modal as AriaModal, ModalOverlay } from 'react-aria-components';
import { Button } from './button.tsx';
import { FocusReturn } from './keep-focus.ts';

export interface ModalDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons below, beside the one that closes. */
  readonly actions?: ReactNode;
  readonly closeLabel?: string;
  readonly isWide?: boolean;
  /** Whether a press beside it leaves it open, since it holds what would be lost. */
  readonly staysOpen?: boolean;
}

/** Dialog over the page; Escape and a press beside it close it. */
export default function Modal(props: ModalDialogProps): ReactNode {
  const { title, isOpen, onClose, children, actions, closeLabel = 'Close', isWide = false, staysOpen = false } = props;
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={!staysOpen}
      className="fixed inset-0 z-40 grid place-items-start justify-center overflow-y-auto bg-[rgb(0_0_0/0.42)] px-4 pt-[12vh] pb-8"
    >
      <AriaModal
        className={isWide ? 'w-full max-w-3xl min-w-[min(90vw,44rem)]' : 'w-full max-w-md min-w-[min(90vw,26rem)]'}
      >
        <FocusReturn />
        <Dialog className="rounded-lg border border-line-strong bg-raised shadow-2xl outline-none">
          <Heading slot="title" className="border-b border-line px-4 py-3 text-base font-semibold">
            {title}
          </Heading>
          <div className="px-4 py-3">{children}</div>
          <div className="flex justify-end gap-2 border-t border-line px-4 py-2.5">
            <Button look={actions === undefined ? 'plain' : 'quiet'} onPress={onClose}>
              {closeLabel}
            </Button>
            {actions}
          </div>
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  );
}
