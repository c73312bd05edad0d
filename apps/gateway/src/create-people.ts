import type { DatabaseHost } from '@clew/host';
import type { Route } from '@clew/http';
import { createMailer, type Mailer } from '@clew/mail';
import type { Outbox } from '@clew/persistence';
import type { BackgroundTask } from '@clew/runtime';
import type { ApiKeyStore } from './api-keys/api-keys.store.ts';
import { createKeyJournal } from './api-keys/key-journal.ts';
import { createKeyRevocations } from './api-keys/key-revocations.ts';
import type { AuditLog } from './audit/audit.ts';
import type { GatewayConfig } from './config.ts';
import { createAcceptInvitation } from './invitations/accept-invitation.ts';
import { createFindOpenInvitation } from './invitations/find-open-invitation.ts';
import { createInvitationJournal } from './invitations/invitation-journal.ts';
import { invitationPage } from './invitations/invitation-page.ts';
import { invitationRoutes } from './invitations/invitations.routes.ts';
import { createInvitationsService, type InvitationsDependencies } from './invitations/invitations.service.ts';
import { createInvitationStore } from './invitations/invitations.store.ts';
import { openInvitationRoutes } from './invitations/open-invitation.routes.ts';
import { createSendInvitation } from './invitations/send-invitation.ts';
import { createLinkTokens } from './links/link-token.ts';
import { createReadBrowser } from './links/read-browser.ts';
import { createChangePerson } from './members/change-person.ts';
import type { IsManager } from './members/member.ts';
import { createCloseMembers } from './members/close-members.ts';
import { memberRoutes, peopleRoutes } from './members/members.routes.ts';
import { createMembersService } from './members/members.service.ts';
import { createPeopleLists } from './members/people.store.ts';
import { createPeopleService } from './members/people.service.ts';
import { createPersonJournal } from './members/person-journal.ts';
import { createReadRights } from './members/read-rights.ts';
import type { Page } from './pages/page-routes.ts';
import type { UserStore } from './people/users.store.ts';
import type { ProjectStore } from './projects/projects.store.ts';
import { resetPage } from './resets/reset-page.ts';
import { resetRoutes } from './resets/resets.routes.ts';
import { createResetsService } from './resets/resets.service.ts';
import { createResetStore } from './resets/resets.store.ts';
import type { SessionCookie } from './sessions/session-cookie.ts';
import type { Tokens } from './sessions/tokens.ts';
import type { SignInMeans } from './sign-in/create-sign-in.ts';
import type { SignInWays } from './sign-in/ways.ts';

export interface PeopleParts extends Pick<
  DatabaseHost<GatewayConfig>,
  'config' | 'database' | 'clock' | 'logger' | 'cursors'
> {
  apiKeys: ApiKeyStore;
  projects: ProjectStore;
  users: UserStore;
  audit: AuditLog;
  outbox: Outbox;
  tokens: Tokens;
  cookie: SessionCookie;
  means: SignInMeans;
  ways: SignInWays;
  isManager: IsManager;
  /** Called when a key or a person has changed, so that this replica knows of it before the broadcast arrives. */
  onChanged: (id: string) => void;
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
  const { database, clock, cookie, config, means, onChanged } = parts;
  const { PUBLIC_URL: publicUrl, MIN_PASSWORD_LENGTH: minPasswordLength } = config;
  const readRights = createReadRights(parts);
  const people = createPersonJournal({ ...parts, people: means.journal });
  const lists = createPeopleLists(database);
  const common = { ...parts, ...means, readRights, people, minPasswordLength, onUserChanged: onChanged };
  const changePerson = createChangePerson({ ...common, journal: people });
  const links = { ...common, tokens: createLinkTokens(parts.tokens, publicUrl) };
  const mailer = createMailer({ config, publicUrl, logger: parts.logger });
  const { revokeOfPerson } = createKeyRevocations({
    ...parts,
    journal: createKeyJournal(parts),
    onKeyChanged: onChanged,
  });
  const resets = createResetsService({ ...links, resets: createResetStore(database) });
  const invitations = createInvitationStore(database);
  const findOpen = createFindOpenInvitation({ ...links, invitations });
  const accept = createAcceptInvitation({
    ...{ ...links, invitations, findOpen },
    journal: createInvitationJournal(parts),
    takesPasswords: parts.ways.passwords,
  });
  const browserOf = createReadBrowser(cookie);
  const closeMembers = createCloseMembers({ database, people: means.journal, clock });
  return {
    routes: [
      ...memberRoutes(createMembersService({ ...parts, lists, changePerson })),
      ...peopleRoutes(createPeopleService({ ...common, lists, changePerson, revokeKeysOf: revokeOfPerson })),
      ...invitationRoutes(createInviting({ ...links, invitations, mailer })),
      ...openInvitationRoutes(accept, browserOf),
      ...resetRoutes(resets, browserOf),
    ],
    pages: [
      invitationPage({ cookie, minPasswordLength, ways: parts.ways, invitations: accept }),
      resetPage({ cookie, minPasswordLength, resets }),
    ],
    async closeProject(projectId) {
      const memberships = await closeMembers(projectId);
      const closed = await database.withTransaction((tx) => invitations.closeProject(tx, projectId));
      return Object.fromEntries(Object.entries({ memberships, invitations: closed }).filter(([, count]) => count > 0));
    },
    start: () => mailer.start(),
  };
}

type InvitingParts = Omit<InvitationsDependencies, 'send' | 'journal' | 'projects' | 'mailer'> &
  Pick<PeopleParts, 'audit' | 'projects' | 'logger'> & { mailer: Mailer };

function createInviting(parts: InvitingParts) {
  const { projects } = parts;
  const send = createSendInvitation({ ...parts, workspaceName: (id) => projects.workspaceName(id) });
  return createInvitationsService({ ...parts, send, journal: createInvitationJournal(parts) });
}
