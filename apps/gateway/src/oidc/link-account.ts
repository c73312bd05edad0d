import { AppError, type Clock } from '@clew/kernel';
import { isDuplicateKey, type Database, type Transaction } from '@clew/persistence';
import { userActor, type PeopleJournal } from '../people/people-journal.ts';
import { isActive, passwordOf, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { OpenedSession } from '../sessions/sessions.service.ts';
import type { Tokens } from '../sessions/tokens.ts';
import type { Browser, SignInService } from '../sign-in/sign-in.service.ts';
import type { AccountLink } from './account-link.model.ts';
import type { AccountLinkStore } from './account-links.store.ts';
import type { Admissions } from './admit.ts';
import { withIdentity } from './identity.ts';
import type { OidcService } from './oidc.service.ts';
import type { OidcProvider } from './provider-config.ts';

export interface LinkAccountDependencies {
  database: Database;
  providers: ReadonlyMap<string, { provider: OidcProvider }>;
  accountLinks: AccountLinkStore;
  users: Pick<UserStore, 'get' | 'findByIdentity'>;
  signIn: Pick<SignInService, 'prove' | 'spendLink'>;
  admissions: Pick<Admissions, 'welcome'>;
  oidc: Pick<OidcService, 'welcomed'>;
  journal: Pick<PeopleJournal, 'record'>;
  tokens: Tokens;
  clock: Clock;
}

/** Proof that an account here is the person's own: its password, or a link that signs them in once. */
export type OwnershipProof = { password: string } | { linkToken: string };

/** Account that waits for its confirmation, as its page shows it. */
export interface PendingLink {
  email: string;
  provider: string;
  hasPassword: boolean;
}

export type LinkAccount = ReturnType<typeof createLinkAccount>;

/**
 * Links an account at a provider to the account that its address has here, once the person has proved that it is theirs.
 * A verified address alone proves nothing about an account that was there before.
 */
export function createLinkAccount(deps: LinkAccountDependencies) {
  const { database, users, tokens, clock } = deps;

  async function pending(token: string): Promise<{ hash: string; link: AccountLink; user: StoredUser }> {
    const hash = tokens.hashOf('account-link', token);
    const link = await deps.accountLinks.find(hash, clock.now());
    const user = link === undefined ? undefined : await users.get(link.userId);
    if (link === undefined || user === undefined || !isActive(user)) throw isOver();
    return { hash, link, user };
  }

  /** Links in the transaction that uses the link up and opens the session. */
  async function linkIn(
    tx: Transaction,
    { hash, link }: { hash: string; link: AccountLink },
    { origin }: Browser,
  ): Promise<OpenedSession> {
    const { userId, providerId, issuer, subject, email, roles } = link;
    const user = await users.get(userId, tx);
    if (user === undefined || !(await deps.accountLinks.remove(tx, hash))) throw isOver();
    if ((await users.findByIdentity(link, tx)) !== undefined) throw isOver();
    const deed = { action: 'person.identity-linked', workspaceId: user.workspaceId, actor: userActor(user) } as const;
    const after = { provider: providerId, issuer, subject };
    const about = { target: { kind: 'person', id: userId } as const, origin, after, nowMs: clock.now() };
    await deps.journal.record(tx, { ...deed, ...about });
    const states = { before: user, after: withIdentity(user, link) };
    return await deps.admissions.welcome(tx, states, { providerId, email, roles }, origin);
  }

  return {
    async read(token: string): Promise<PendingLink> {
      const { link, user } = await pending(token);
      const provider = deps.providers.get(link.providerId)?.provider.name ?? link.providerId;
      return { email: user.email, provider, hasPassword: passwordOf(user) !== undefined };
    },

    async confirm(
      token: string,
      proof: OwnershipProof,
      browser: Browser,
    ): Promise<{ opened: OpenedSession; returnTo: string }> {
      const { hash, link, user } = await pending(token);
      if ('password' in proof) await deps.signIn.prove(user, { email: user.email, ...proof }, browser.origin);
      try {
        const opened = await database.withTransaction(async (tx) => {
          if ('linkToken' in proof) await requireLinkOf(tx, user, proof.linkToken, browser);
          return await linkIn(tx, { hash, link }, browser);
        });
        await deps.oidc.welcomed(opened, browser.origin, browser.replaced);
        return { opened, returnTo: link.returnTo };
      } catch (error) {
        throw isDuplicateKey(error) ? isOver() : error;
      }
    },
  };

  async function requireLinkOf(tx: Transaction, { id }: StoredUser, linkToken: string, { origin }: Browser) {
    const found = await deps.signIn.spendLink(tx, linkToken, origin);
    // The transaction ends with the error, so that the link of somebody else is not used up.
    if (found?.id !== id)
      throw new AppError('UNAUTHENTICATED', 'The link is not one of this account, or used or expired');
  }
}

function isOver(): AppError {
  return new AppError('OIDC_STATE_INVALID', 'The account cannot be linked any more: sign in again');
}
