import type { ReactNode } from 'react';
import { Snippet } from './copy-button.tsx';
import { ModalDialog } from './overlay.tsx';

interface SecretDialogProps {
  readonly title: string;
  readonly label: string;
  readonly secret: string;
  readonly onClose: () => void;
  /** Help with what to do with it. */
  readonly children?: ReactNode;
}

/** Secret that is shown this once; a press beside the dialog does not lose it. */
export function SecretDialog({ title, label, secret, onClose, children }: SecretDialogProps): ReactNode {
  return (
    <ModalDialog isOpen isWide staysOpen title={title} closeLabel="I have kept it" onClose={onClose}>
      <div className="flex flex-col gap-3">
        <p>It is shown this once. Copy it now; nobody can read it later.</p>
        <Snippet text={secret} label={label} />
        {children}
      </div>
    </ModalDialog>
  );
}
