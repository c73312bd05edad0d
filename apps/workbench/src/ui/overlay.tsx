import { lazy, type ReactNode } from 'react';
import type { ModalDialogProps } from './modal.tsx';
import { OnceOpened } from './once-opened.tsx';

const Modal = lazy(() => import('./modal.tsx'));

/** Dialog over the page, whose code comes when the first one opens. */
export function ModalDialog(props: ModalDialogProps): ReactNode {
  return (
    <OnceOpened isOpen={props.isOpen}>
      <Modal {...props} />
    </OnceOpened>
  );
}
