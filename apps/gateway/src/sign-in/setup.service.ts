import { notFound, type Clock } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import type { UserStore } from '../people/users.store.ts';
import type { OpenedSession, Sessions } from '../sessions/sessions.service.ts';
import type { Tokens } from '../sessions/tokens.ts';
import type { MakeFirstOwner } from './first-owner.ts';
import type { OneTimeLinkStore } from './one-time-links.store.ts';
import type { Browser } from './sign-in.service.ts';

export interface SetupDependencies {
  database: Database;
  users: Pick<UserStore, 'hasAny'>;
  links: OneTimeLinkStore;
  makeFirstOwner: MakeFirstOwner;
  sessions: Sessions;
  hasher: PasswordHasher;
  tokens: Tokens;
  clock: Clock;
  publicUrl: string;
  minPasswordLength: number;
}

const SETUP_LINK_MS = 60 * 60 * 1000;
/** Time for which it is known that somebody has an account: an account is not unmade often. */
const SETTLED_MS = 60_000;

export interface SetupRequest {
  token: string;
  email: string;
  name: string;
  password: string;
}

export type SetupService = ReturnType<typeof createSetupService>;

/** First set-up of a deployment in which nobody has an account yet. */
export function createSetupService(deps: SetupDependencies) {
  const { database, users, links, sessions, tokens, clock } = deps;
  let settledUntilMs = 0;

  async function isNeeded(): Promise<boolean> {
    if (clock.now() < settledUntilMs) return false;
    const isSettled = await users.hasAny();
    if (isSettled) settledUntilMs = clock.now() + SETTLED_MS;
    return !isSettled;
  }

  return {
    isNeeded,

    /** Makes a link for the first set-up; earlier ones stay until their hour is over. Undefined if none is needed. */
    async newLink(): Promise<string | undefined> {
      const nowMs = clock.now();
      await links.prepareGuard(nowMs);
      if (!(await isNeeded())) return undefined;
      const { value, hash } = tokens.make('link');
      const expiresAtMs = nowMs + SETUP_LINK_MS;
      await links.insert({ hash, purpose: 'set-up', userId: null, nowMs, expiresAtMs });
      return `${deps.publicUrl}/setup?token=${value}`;
    },

    /** Tells whether a token could make the first owner now. */
    isOpen: (token: string) => links.isOpen('set-up', tokens.hashOf('link', token), clock.now()),

    /** Makes the first owner and signs them in; a token that does not count, for whatever reason, is the same 404. */
    async setUp({ token, email, name, password }: SetupRequest, { origin, replaced }: Browser): Promise<OpenedSession> {
      const hash = tokens.hashOf('link', token);
      if (!(await links.isOpen('set-up', hash, clock.now()))) throw notFound();
      requireGoodPassword(password, deps.minPasswordLength, { email, name, path: 'body.password' });
      const passwordHash = await deps.hasher.hash(password);
      const owner = await database.withTransaction(async (tx) => {
        const used = await links.use(tx, 'set-up', hash, clock.now());
        return used === undefined
          ? undefined
          : await deps.makeFirstOwner(tx, { email, name, passwordHash }, { origin });
      });
      if (owner === undefined) throw notFound();
      return await sessions.openSession(owner, 'password', origin, replaced);
    },
  };
}

/** Logs the link for the first set-up, the one secret that a log may hold: it works once, for an hour, for nobody's data. */
export async function tellOfSetup(setup: SetupService, logger: Logger): Promise<void> {
  const link = await setup.newLink();
  if (link !== undefined) logger.warn({ link }, 'nobody has an account yet: open the link to make the first owner');
}
