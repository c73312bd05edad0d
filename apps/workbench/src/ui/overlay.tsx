import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { ModalDialogProps } from './modal.tsx';

const Modal = lazy(() => import('./modal.tsx'));

/** Dialog over the page, whose code comes when the first one opens. */
export function ModalDialog(props: ModalDialogProps): ReactNode {
  const [wasOpen, setWasOpen] = useState(false);
  if (props.isOpen && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <Suspense fallback={null}>
      <Modal {...props} />
    </Suspense>
  );
}
