import type { Route } from '@clew/http';
import { createOutbound, parseCidrList } from '@clew/outbound';
import type { Database, Outbox } from '@clew/persistence';
import type { AppError, Clock } from '@clew/kernel';
import { ConfigError, type BackgroundTask } from '@clew/runtime';
import type { ApiKeyStore } from '../api-keys/api-keys.store.ts';
import type { AuditLog } from '../audit/audit.ts';
import type { GatewayConfig } from '../config.ts';
import { createInvitationsOfAddress } from '../invitations/find-open-invitation.ts';
import { createInvitationJournal } from '../invitations/invitation-journal.ts';
import { createInvitationStore } from '../invitations/invitations.store.ts';
import { createPersonJournal } from '../members/person-journal.ts';
import { createReadRights } from '../members/read-rights.ts';
import type { Page } from '../pages/page-routes.ts';
import { emailKeyOf } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import { findWorkspace, type OldestWorkspace } from '../projects/workspaces.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import { createCookie } from '../sessions/cookie.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import type { Tokens } from '../sessions/tokens.ts';
import type { SignInMeans } from '../sign-in/create-sign-in.ts';
import type { SignInWays } from '../sign-in/ways.ts';
import { createAccountLinkStore } from './account-links.store.ts';
import { createAdmissions } from './admit.ts';
import { createLinkAccount } from './link-account.ts';
import { linkAccountPage } from './link-account-page.ts';
import { oidcRoutes } from './oidc.routes.ts';
import { createOidcService } from './oidc.service.ts';
import { createProviderClient } from './provider-client.ts';
import { readProviders, type OidcProvider } from './provider-config.ts';
import { createSignInFlows } from './sign-in-flow.ts';

export interface OidcParts {
  config: GatewayConfig;
  providers: readonly OidcProvider[];
  database: Database;
  clock: Clock;
  audit: AuditLog;
  outbox: Outbox;
  apiKeys: ApiKeyStore;
  users: UserStore;
  projects: ProjectStore;
  tokens: Tokens;
  cookie: SessionCookie;
  means: SignInMeans;
  onUserChanged: (userId: string) => void;
  outageError: ((thrown: unknown) => AppError | undefined) | undefined;
}

/** Sign-in at OpenID Connect providers. */
export interface Oidc {
  routes: Route[];
  pages: Page[];
  start(): BackgroundTask;
}

const LINK_TOKEN = /^[\w-]{43}$/;

/** Reads which ways to sign in the configuration offers; throws ConfigError if there is none. */
export function readWays({ OIDC_PROVIDERS_FILE: file, PASSWORD_SIGN_IN: passwords }: GatewayConfig): {
  ways: SignInWays;
  providers: OidcProvider[];
} {
  const providers = file === undefined ? [] : readProviders(file);
  if (passwords === 'off' && providers.length === 0) {
    throw new ConfigError(['PASSWORD_SIGN_IN: must be on without OIDC_PROVIDERS_FILE, or nobody could sign in']);
  }
  const shown = providers.map(({ id, name }) => ({ id, name }));
  return { providers, ways: { passwords: passwords === 'on', providers: shown } };
}

export function createOidc(parts: OidcParts): Oidc {
  const { config, database, clock, tokens, cookie, means, users } = parts;
  const { PUBLIC_URL: publicUrl } = config;
  const outbound = createOutbound({ allowCidrs: parseCidrList(config.OUTBOUND_ALLOW_CIDRS) });
  const providers = new Map(
    parts.providers.map((provider) => {
      const redirectUri = `${publicUrl}/v1/auth/oidc/${provider.id}/callback`;
      const asked = { provider, redirectUri, outbound, timeoutMs: config.OIDC_TIMEOUT_MS, clock };
      return [provider.id, { provider, client: createProviderClient(asked) }];
    }),
  );
  const invitations = createInvitationStore(database);
  const oldestWorkspace: OldestWorkspace = (tx) => findWorkspace(tx, database);
  const readRights = createReadRights(parts);
  const admissions = createAdmissions({
    ...{ ...parts, ...means, invitations, oldestWorkspace },
    invitationsOf: createInvitationsOfAddress({ invitations, readRights, clock }),
    invitationJournal: createInvitationJournal(parts),
    people: createPersonJournal({ ...parts, people: means.journal }),
    adminEmails: new Set(config.OIDC_ADMIN_EMAILS.map(emailKeyOf)),
  });
  const flows = createSignInFlows(publicUrl, tokens, clock);
  const accountLinks = createAccountLinkStore(database);
  const common = { ...parts, ...means, providers, flows, admissions, accountLinks, oldestWorkspace };
  const oidc = createOidcService(common);
  const linkAccount = createLinkAccount({ ...common, users, oidc });
  const linkCookie = createCookie(publicUrl, { name: 'clew_account_link', value: LINK_TOKEN });
  return {
    routes: oidcRoutes({ oidc, flows, cookie, linkCookie, outageError: parts.outageError }),
    pages: parts.providers.length === 0 ? [] : [linkAccountPage({ linkAccount, cookie, linkCookie })],
    start: () => ({ name: 'sign-in providers', stop: () => outbound.close() }),
  };
}
