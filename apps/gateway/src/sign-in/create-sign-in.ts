import { createSecretKey } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Features } from '@clew/contracts';
import type { Route } from '@clew/http';
import { deriveSecret, type Clock } from '@clew/kernel';
import type { Database, Outbox } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { AuditLog } from '../audit/audit.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { SignedIn } from '../auth/credential.ts';
import type { GatewayConfig } from '../config.ts';
import { signInPages } from './sign-in-pages.ts';
import type { Page } from '../pages/page-routes.ts';
import { createFewAtOnce } from '../passwords/few-at-once.ts';
import { createPasswordHasher, type PasswordHasher } from '../passwords/password-hasher.ts';
import { meRoutes } from '../people/me.routes.ts';
import { createPeopleJournal, type PeopleJournal } from '../people/people-journal.ts';
import { createProfileService } from '../people/profile.service.ts';
import type { UserStore } from '../people/users.store.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import { createSessions, type Sessions } from '../sessions/sessions.service.ts';
import type { SessionStore } from '../sessions/sessions.store.ts';
import { createTokens, type Tokens } from '../sessions/tokens.ts';
import { makeConfiguredOwner } from './configured-owner.ts';
import { createFirstOwner, type MakeFirstOwner } from './first-owner.ts';
import { createOneTimeLinks } from './one-time-links.service.ts';
import { createOneTimeLinkStore } from './one-time-links.store.ts';
import { createPasswordChange } from './password-change.ts';
import { createSetupService, tellOfSetup } from './setup.service.ts';
import { signInRoutes } from './sign-in.routes.ts';
import { createSignInService, type SignInService } from './sign-in.service.ts';
import type { SignInWays } from './ways.ts';
import { createSignInThrottle, type SignInThrottle } from './sign-in-throttle.ts';

export interface SignInParts {
  routes: Route[];
  pages: Page[];
  /** Means by which somebody who proves who they are is let in, for other ways to do so. */
  means: SignInMeans;
  /** Projects of a person, as far as a page shows them. */
  projectsOf(signedIn: SignedIn): Promise<readonly { id: string; name: string }[]>;
  /** Makes the configured owner, or tells of the link with which the first one is made. */
  begin(): Promise<void>;
}

export interface SignInMeans {
  signIn: SignInService;
  makeFirstOwner: MakeFirstOwner;
  sessions: Sessions;
  hasher: PasswordHasher;
  throttle: SignInThrottle;
  journal: PeopleJournal;
}

export interface CreateSignInDependencies {
  config: GatewayConfig;
  database: Database;
  clock: Clock;
  logger: Logger;
  version: string;
  audit: AuditLog;
  outbox: Outbox;
  users: UserStore;
  sessionStore: SessionStore;
  projects: Pick<ProjectStore, 'list'>;
  tokens: Tokens;
  cookie: SessionCookie;
  authenticator: Pick<Authenticator, 'forget' | 'signedIn'>;
  ways: SignInWays;
}

/** Hashes at a time, as far as a core is left for everything else. */
const MAX_HASHES_AT_ONCE = 4;
/** Tries at passwords that wait for one of those: some seconds of them. */
const MAX_WAITING_HASHES = 100;
/** Tries in hand: some more than hashes, so that one is always ready to be hashed. */
const MAX_TRIES_AT_ONCE = 6;
const PROJECTS_SHOWN = 100;

/** Random values of sessions and links: only their hashes are stored. */
export function tokensOf({ AUTH_SECRET }: Pick<GatewayConfig, 'AUTH_SECRET'>): Tokens {
  return createTokens(createSecretKey(deriveSecret(AUTH_SECRET, 'session/v1')));
}

/** Sign-in, sessions and what people do about themselves. */
export function createSignIn(deps: CreateSignInDependencies): SignInParts {
  const { config, database, clock, logger, users, tokens, cookie, authenticator, ways } = deps;
  const { PUBLIC_URL: publicUrl, MIN_PASSWORD_LENGTH: minPasswordLength } = config;
  const onChanged = authenticator.forget;
  const journal = createPeopleJournal(deps);
  const links = createOneTimeLinkStore(database);
  const common = { database, users, journal, tokens, clock, cookie, links, publicUrl, minPasswordLength, onChanged };
  const hasher = createPasswordHasher({
    maxAtOnce: Math.max(1, Math.min(MAX_HASHES_AT_ONCE, availableParallelism() - 1)),
    maxWaiting: MAX_WAITING_HASHES,
  });
  const sessions = createSessions({ ...common, sessions: deps.sessionStore });
  const makeFirstOwner = createFirstOwner({ ...common, authSecret: config.AUTH_SECRET });
  const setup = createSetupService({ ...common, makeFirstOwner, sessions, hasher });
  const throttle = createSignInThrottle(database, tokens);
  const fewAtOnce = createFewAtOnce({ maxAtOnce: MAX_TRIES_AT_ONCE, maxWaiting: MAX_WAITING_HASHES });
  const signIn = createSignInService({
    ...{ ...common, sessions, hasher, throttle, fewAtOnce, logger },
    takesPasswords: ways.passwords,
  });
  const changePassword = createPasswordChange({ ...common, sessions, signIn, hasher });
  const served = { signIn, setup, sessions, changePassword, cookie, minPasswordLength, ways };
  const projectsOf = async ({ workspaceId, projectIds }: SignedIn) =>
    (await deps.projects.list(workspaceId, projectIds, { after: undefined, limit: PROJECTS_SHOWN })).items;
  const projectNames = async (signedIn: SignedIn) => (await projectsOf(signedIn)).map(({ name }) => name);
  return {
    routes: [
      ...signInRoutes({ ...served, oneTimeLinks: createOneTimeLinks(common) }),
      ...meRoutes(createProfileService(common), { features: featuresOf(config), version: deps.version }),
    ],
    pages: signInPages({ ...served, authenticator, projectNames }),
    projectsOf,
    means: { signIn, makeFirstOwner, sessions, hasher, throttle, journal },
    async begin() {
      const { CLEW_ADMIN_EMAIL: email, CLEW_ADMIN_PASSWORD_FILE: passwordFile } = config;
      if (email !== undefined && passwordFile !== undefined) {
        await links.prepareGuard(clock.now());
        const made = { database, users, makeFirstOwner, hasher, logger, minPasswordLength };
        await makeConfiguredOwner(made, { email, passwordFile });
      }
      await tellOfSetup(setup, logger);
    },
  };
}

function featuresOf(config: GatewayConfig): Features {
  return {
    rules: config.MOUNT_RULES,
    workItems: config.MOUNT_WORK_ITEMS,
    modelRuntime: config.DEPLOYMENT_TARGET === 'server',
    mail: config.SMTP_URL !== undefined,
  };
}
