import type { ReactNode } from 'react';
import { fullTime } from '../../text/format.ts';
import { visibleText } from '../../text/visible-text.ts';
import { SecretDialog } from '../../ui/secret-dialog.tsx';

export interface ShownLink {
  readonly email: string;
  readonly link: string;
  readonly expiresAt: number;
  /** Purpose of the link. */
  readonly kind: 'invitation' | 'reset';
}

/** Link that somebody else is to open. */
export function LinkDialog({ email, link, expiresAt, kind, onClose }: ShownLink & { onClose: () => void }): ReactNode {
  const title = kind === 'invitation' ? 'Invitation of' : 'New password of';
  return (
    <SecretDialog title={`${title} ${visibleText(email)}`} label="Link" secret={link} onClose={onClose}>
      <p className="text-muted">
        Give it to them alone: whoever opens it first has it. It works once, until {fullTime(expiresAt)}.
      </p>
    </SecretDialog>
  );
}
