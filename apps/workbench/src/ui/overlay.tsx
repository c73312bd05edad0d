import { lazy, Suspense, useState, type ReactNode } from 'react';

const Modal = lazy(() => import('./modal.tsx'));

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
