import { AppError, notFound, type Clock } from '@clew/kernel';
import { RESET_MS, type AuditAction, type AuditActor, type OpenReset, type ResetLink } from '@clew/contracts';
import type { Database, Transaction } from '@clew/persistence';
import { actorOf, type AuditLog } from '../audit/audit.ts';
import type { LinkTokens } from '../links/link-token.ts';
import { requirePerson, type PersonActor } from '../members/change-person.ts';
import type { PersonJournal } from '../members/person-journal.ts';
import type { ReadRights } from '../members/read-rights.ts';
import { covers, EVERYTHING, requireCovers } from '../members/rights.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import { isActive, withPassword, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { OpenedSession, Sessions } from '../sessions/sessions.service.ts';
import type { Browser } from '../sign-in/sign-in.service.ts';
import type { SignInThrottle } from '../sign-in/sign-in-throttle.ts';
import { MADE_ON_SERVER } from './reset.model.ts';
import type { ResetStore } from './resets.store.ts';

export interface ResetsDependencies {
  database: Database;
  resets: ResetStore;
  users: Pick<UserStore, 'get' | 'update' | 'noteSignIn'>;
  readRights: ReadRights;
  people: PersonJournal;
  audit: AuditLog;
  tokens: LinkTokens;
  hasher: PasswordHasher;
  throttle: SignInThrottle;
  sessions: Pick<Sessions, 'endIn' | 'openIn' | 'endByValue'>;
  minPasswordLength: number;
  clock: Clock;
  /** Called when a change has committed, so that this replica knows of it before the broadcast arrives. */
  onUserChanged: (userId: string) => void;
}

export type ResetsService = ReturnType<typeof createResetsService>;

/** Links by which a person sets a new password: the way in for who has forgotten it. */
export function createResetsService(deps: ResetsDependencies) {
  const { database, resets, users, readRights, throttle, sessions, tokens, clock } = deps;

  return {
    /** Makes a link, for those who have all that the person has: whoever holds it can sign in as that person. */
    async create({ caller, origin }: PersonActor, userId: string): Promise<ResetLink> {
      const token = tokens.make('reset');
      const { workspaceId, principal } = caller;
      const expiresAt = await database.withTransaction(async (tx) => {
        const rights = await readRights.ofCaller(caller, tx);
        const found = await users.get(userId, tx);
        const user = requirePerson(found?.workspaceId === workspaceId ? found : undefined);
        requireCovers(rights, user);
        if (!isActive(user)) throw new AppError('CONFLICT', 'The person is deactivated');
        const now = clock.now();
        const reset = { userId, workspaceId, tokenHash: token.hash, createdBy: principal.id, createdAt: now };
        await resets.put(tx, { ...reset, expiresAt: now + RESET_MS });
        await record(tx, 'reset.created', user, { actor: actorOf(principal), origin });
        return now + RESET_MS;
      });
      return { link: tokens.addressOf('reset', token), expiresAt };
    },

    /** Shows whose password a link sets. */
    async read(token: string, address: string | null): Promise<OpenReset> {
      const { user, reset } = await tried(token, address);
      return { email: user.email, name: user.name, expiresAt: reset.expiresAt };
    },

    /** Sets a password with a link, once: all sessions of the person end, and a new one is opened. */
    async use(token: string, password: string, { origin, replaced }: Browser): Promise<OpenedSession> {
      const { email, name } = (await tried(token, origin.address)).user;
      requireGoodPassword(password, deps.minPasswordLength, { path: 'body.password', email, name });
      const hash = await deps.hasher.hash(password);
      if (replaced !== undefined) await sessions.endByValue(replaced, origin);
      const opened = await database.withTransaction(async (tx) => {
        const { user: before, reset } = await usable(token, tx);
        if (!(await resets.remove(tx, reset))) throw notFound();
        const now = clock.now();
        const after = requirePerson(await users.update(tx, before.id, (each) => withPassword(each, hash, now), now));
        await sessions.endIn(tx, after.id, origin);
        const by = { actor: { kind: 'user' as const, id: after.id }, origin };
        await record(tx, 'reset.used', after, by);
        await deps.people.changed(tx, by, { before, after });
        return await sessions.openIn(tx, after, 'reset', origin);
      });
      deps.onUserChanged(opened.user.id);
      await users.noteSignIn(opened.user.id, opened.session.createdAt);
      return opened;
    },
  };

  /** Finds a link; one that does not work counts as a failed try to sign in. */
  async function tried(token: string, address: string | null) {
    const attempt = await throttle.begin({ address });
    const found = await usable(token);
    await attempt.succeeded();
    return found;
  }

  /** Finds a link that works at this moment; all others are the same 404. */
  async function usable(token: string, tx?: Transaction) {
    const hash = tokens.hashOf('reset', token);
    const reset = hash === undefined ? undefined : await resets.findByToken(hash, tx);
    if (reset === undefined || reset.expiresAt <= clock.now()) throw notFound();
    const { createdBy: id, workspaceId, userId } = reset;
    const rights = id === MADE_ON_SERVER ? EVERYTHING : await readRights.ofMaker({ id, workspaceId }, tx);
    const user = await users.get(userId, tx);
    if (user === undefined || !isActive(user) || rights === undefined || !covers(rights, user)) throw notFound();
    return { reset, user };
  }

  async function record(
    tx: Transaction,
    action: Extract<AuditAction, `reset.${string}`>,
    { workspaceId, id }: StoredUser,
    { actor, origin }: { actor: AuditActor; origin: RequestOrigin },
  ): Promise<void> {
    const target = { kind: 'person' as const, id };
    const entry = { workspaceId, projectId: null, actor, action, target, ...origin };
    await deps.audit.append(tx, { ...entry, before: null, after: null, at: clock.now() });
  }
}
