import type { Mailer } from '@clew/mail';
import type { Logger } from '@clew/runtime';
import type { StoredInvitation } from './invitation.ts';
import type { InvitationStore } from './invitations.store.ts';

/** Mails the link of an invitation in the background, and notes the outcome on it. */
export type SendInvitation = (invitation: StoredInvitation, link: string) => void;

export interface SendInvitationDependencies {
  mailer: Pick<Mailer, 'send'>;
  invitations: Pick<InvitationStore, 'noteMail'>;
  workspaceName: (workspaceId: string) => Promise<string>;
  logger: Logger;
}

export function createSendInvitation({
  mailer,
  invitations,
  workspaceName,
  logger,
}: SendInvitationDependencies): SendInvitation {
  async function send(invitation: StoredInvitation, link: string): Promise<void> {
    const name = await workspaceName(invitation.workspaceId);
    const outcome = await mailer.send({
      to: invitation.email,
      subject: `Invitation to ${name} on Clew`,
      text: [
        `You are invited to ${name} on Clew. Open this link to accept:`,
        link,
        `It works once, until ${new Date(invitation.expiresAt).toUTCString()}. If you expected no invitation, ignore it.`,
      ].join('\n\n'),
    });
    await invitations.noteMail(invitation, outcome);
  }

  return (invitation, link) => {
    send(invitation, link).catch((error: unknown) => {
      logger.warn({ err: error, invitationId: invitation.id }, 'could not note whether an invitation was mailed');
    });
  };
}
