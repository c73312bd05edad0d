import { AppError, notFound, type Clock } from '@clew/kernel';
import { SCOPES, type AuditActor } from '@clew/contracts';
import type { Database, Transaction } from '@clew/persistence';
import { actorOf } from '../audit/audit.ts';
import type { GatewayCaller } from '../caller.ts';
import type { PeopleJournal } from '../people/people-journal.ts';
import { isActive, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { Tokens } from '../sessions/tokens.ts';
import type { OneTimeLinkStore } from './one-time-links.store.ts';

export interface OneTimeLinksDependencies {
  database: Database;
  users: Pick<UserStore, 'findByEmail'>;
  links: OneTimeLinkStore;
  journal: PeopleJournal;
  tokens: Tokens;
  clock: Clock;
  publicUrl: string;
}

export interface OneTimeLink {
  link: string;
  userId: string;
  expiresAt: number;
}

const LINK_MS = 10 * 60 * 1000;

export type OneTimeLinksService = ReturnType<typeof createOneTimeLinks>;

/** Makes links that sign somebody in once. */
export function createOneTimeLinks(deps: OneTimeLinksDependencies) {
  const { database, users, links, journal, tokens, clock } = deps;

  async function linkIn(
    tx: Transaction,
    user: StoredUser,
    by: { actor: AuditActor; origin: RequestOrigin },
  ): Promise<OneTimeLink> {
    const nowMs = clock.now();
    const { value, hash } = tokens.make('link');
    const expiresAt = nowMs + LINK_MS;
    await links.insert({ hash, purpose: 'sign-in', userId: user.id, nowMs, expiresAtMs: expiresAt }, tx);
    const { workspaceId, id } = user;
    await journal.record(tx, {
      action: 'one-time-link.created',
      workspaceId,
      target: { kind: 'person', id },
      ...by,
      nowMs,
    });
    return { link: `${deps.publicUrl}/sign-in/link?token=${value}`, userId: user.id, expiresAt };
  }

  return {
    /** Makes a link for the caller, or, with a key that has all there is, for anybody of the workspace. */
    async create(caller: GatewayCaller, email: string | undefined, origin: RequestOrigin): Promise<OneTimeLink> {
      const user = email === undefined ? caller.signedIn?.user : await users.findByEmail(email);
      if (email === undefined && user === undefined) {
        const [path, message] = ['body.email', 'must name whom the link signs in'];
        throw new AppError('VALIDATION_FAILED', `${path}: ${message}`, { details: [{ path, message }] });
      }
      requireRight(caller, user);
      if (user === undefined || !isActive(user) || user.workspaceId !== caller.workspaceId) throw notFound();
      return await database.withTransaction((tx) => linkIn(tx, user, { actor: actorOf(caller.principal), origin }));
    },
  };
}

/** Refuses whoever would get more by the link than they have: nobody signs in as somebody else. */
function requireRight({ principal, projectIds, signedIn }: GatewayCaller, user: StoredUser | undefined): void {
  const isAllowed =
    principal.kind === 'key'
      ? projectIds === 'all' && SCOPES.every((scope) => principal.scopes.includes(scope))
      : user?.id === signedIn?.id;
  if (!isAllowed)
    throw new AppError('FORBIDDEN', 'Only the person, or a key that may do all there is, can make this link');
}
