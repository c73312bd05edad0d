import type { DatabaseHost } from '@clew/host';
import type { Route } from '@clew/http';
import type { BackgroundTask } from '@clew/runtime';
import type { ApiKeyStore } from './api-keys/api-keys.store.ts';
import type { AuditLog } from './audit/audit.ts';
import type { GatewayConfig } from './config.ts';
import { createAcceptInvitation } from './invitations/accept-invitation.ts';
import { createInvitationJournal } from './invitations/invitation-journal.ts';
import { invitationRoutes } from './invitations/invitations.routes.ts';
import { createInvitationsService } from './invitations/invitations.service.ts';
import { createInvitationStore } from './invitations/invitations.store.ts';
import { openInvitationRoutes } from './invitations/open-invitation.routes.ts';
import { createSendInvitation } from './invitations/send-invitation.ts';
import { createLinkTokens } from './links/link-token.ts';
import { createReadBrowser } from './links/read-browser.ts';
import { createMailer, type Mailer } from './mail/mailer.ts';
import { createChangePerson, type PersonActor } from './members/change-person.ts';
import { createCloseMembers } from './members/close-members.ts';
import { memberRoutes, peopleRoutes } from './members/members.routes.ts';
import { createMembersService } from './members/members.service.ts';
import { createPeopleLists } from './members/people.store.ts';
import { createPeopleService } from './members/people.service.ts';
import { createPersonJournal } from './members/person-journal.ts';
import { createReadRights } from './members/read-rights.ts';
import { linkPages } from './pages/link-pages.ts';
import type { Page } from './pages/page-routes.ts';
import type { PasswordHasher } from './passwords/password-hasher.ts';
import type { PeopleJournal } from './people/people-journal.ts';
import type { UserStore } from './people/users.store.ts';
import type { ProjectStore } from './projects/projects.store.ts';
import { resetRoutes } from './resets/resets.routes.ts';
import { createResetsService } from './resets/resets.service.ts';
import { createResetStore } from './resets/resets.store.ts';
import type { SessionCookie } from './sessions/session-cookie.ts';
import type { Sessions } from './sessions/sessions.service.ts';
import type { Tokens } from './sessions/tokens.ts';
import type { SignInThrottle } from './sign-in/sign-in-throttle.ts';

export interface PeopleParts extends Pick<
  DatabaseHost<GatewayConfig>,
  'config' | 'database' | 'clock' | 'logger' | 'cursors'
> {
  apiKeys: ApiKeyStore;
  projects: ProjectStore;
  users: UserStore;
  audit: AuditLog;
  journal: PeopleJournal;
  sessions: Sessions;
  tokens: Tokens;
  cookie: SessionCookie;
  hasher: PasswordHasher;
  throttle: SignInThrottle;
  minPasswordLength: number;
  publicUrl: string;
  revokeKeysOf: (actor: PersonActor, userId: string) => Promise<void>;
  /** Called when a change has committed, so that this replica knows of it before the broadcast arrives. */
  onChanged: (userId: string) => void;
}

export interface People {
  routes: Route[];
  pages: Page[];
  /** Takes a deleted project out of memberships and invitations; resolves with the counts, empty if nothing is left. */
  closeProject(projectId: string): Promise<Record<string, number>>;
  start(): BackgroundTask;
}

/** Members, people, invitations and resets. */
export function createPeople(parts: PeopleParts): People {
  const { database, clock, cookie, config } = parts;
  const { users, journal: peopleJournal, onChanged: onUserChanged } = parts;
  const readRights = createReadRights(parts);
  const people = createPersonJournal({ ...parts, people: peopleJournal });
  const lists = createPeopleLists(database);
  const changePerson = createChangePerson({ ...parts, readRights, journal: people, onUserChanged });
  const links = { ...parts, readRights, people, onUserChanged, tokens: createLinkTokens(parts.tokens, parts.publicUrl) };
  const mailer = createMailer({
    ...{ url: config.SMTP_URL, deadlineMs: config.MAIL_TIMEOUT_MS, logger: parts.logger },
    from: config.MAIL_FROM ?? `Clew <no-reply@${new URL(parts.publicUrl).hostname}>`,
  });
  const resets = createResetsService({ ...links, resets: createResetStore(database) });
  const invitations = createInvitationStore(database);
  const accept = createAcceptInvitation({ ...links, invitations, journal: createInvitationJournal(parts) });
  const browserOf = createReadBrowser(cookie);
  const closeMembers = createCloseMembers({ database, people: peopleJournal, clock });
  return {
    routes: [
      ...memberRoutes(createMembersService({ ...parts, lists, changePerson })),
      ...peopleRoutes(createPeopleService({ ...parts, lists, users, readRights, changePerson })),
      ...invitationRoutes(createInviting({ ...links, invitations, mailer })),
      ...openInvitationRoutes(accept, browserOf),
      ...resetRoutes(resets, browserOf),
    ],
    pages: linkPages({ ...parts, invitations: accept, resets }),
    async closeProject(projectId) {
      const memberships = await closeMembers(projectId);
      const closed = await database.withTransaction((tx) => invitations.closeProject(tx, projectId));
      return Object.fromEntries(Object.entries({ memberships, invitations: closed }).filter(([, count]) => count > 0));
    },
    start: () => mailer.start(),
  };
}

type InvitingParts = Omit<PeopleParts, 'tokens'> &
  Pick<Parameters<typeof createInvitationsService>[0], 'invitations' | 'readRights' | 'tokens'> & { mailer: Mailer };

function createInviting(parts: InvitingParts) {
  const { projects } = parts;
  const send = createSendInvitation({ ...parts, workspaceName: (id) => projects.workspaceName(id) });
  return createInvitationsService({ ...parts, send, journal: createInvitationJournal(parts) });
}
