import { notFound, type Clock } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import { actorOf } from '../audit/audit.ts';
import type { GatewayCaller } from '../caller.ts';
import { isActive, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import { changesOwners, requireOwnerLeft } from './member.ts';
import type { PersonJournal } from './person-journal.ts';
import type { ReadRights } from './read-rights.ts';
import type { Rights } from './rights.ts';

/** Caller who changes a person, and the origin of the request. */
export interface PersonActor {
  caller: GatewayCaller;
  origin: RequestOrigin;
}

/** Rule of a change: returns the same object for no change, undefined to remove the person. */
export type PersonRule = (rights: Rights, user: StoredUser) => StoredUser | undefined;

/**
 * Changes a person of the caller's workspace by a rule, in one transaction with the audit entry and the message to the
 * gateways. Resolves with the person as stored then; undefined if there is none, or none any more.
 */
export type ChangePerson = (
  actor: PersonActor,
  userId: string,
  rule: PersonRule,
  /** Check made first, in the transaction. */
  check?: (tx: Transaction) => Promise<void>,
) => Promise<StoredUser | undefined>;

export interface ChangePersonDependencies {
  database: Database;
  users: Pick<UserStore, 'get' | 'update' | 'guardOwners' | 'remove'>;
  readRights: Pick<ReadRights, 'ofCaller'>;
  journal: PersonJournal;
  clock: Clock;
  sessions: Pick<Sessions, 'endIn'>;
  /** Called when a change has committed, so that this replica knows of it before the broadcast arrives. */
  onUserChanged: (userId: string) => void;
}

export function createChangePerson(deps: ChangePersonDependencies): ChangePerson {
  const { database, users, readRights, journal, clock } = deps;

  return async ({ caller, origin }, userId, rule, check) => {
    const { workspaceId } = caller;
    const outcome = await database.withTransaction(async (tx) => {
      await check?.(tx);
      const rights = await readRights.ofCaller(caller, tx);
      const before = await users.get(userId, tx);
      if (before === undefined || before.workspaceId !== workspaceId) return { user: undefined, isChanged: false };
      const after = rule(rights, before);
      if (after === before) return { user: before, isChanged: false };
      if (changesOwners(before, after)) requireOwnerLeft(before, after, await users.guardOwners(tx, workspaceId));
      const user = await store(tx, before, after, origin);
      await journal.changed(tx, { actor: actorOf(caller.principal), origin }, { before, after: user });
      return { user, isChanged: true };
    });
    if (outcome.isChanged) deps.onUserChanged(userId);
    return outcome.user;
  };

  async function store(tx: Transaction, { id }: StoredUser, after: StoredUser | undefined, origin: RequestOrigin) {
    const stored = after === undefined ? undefined : await users.update(tx, id, () => after, clock.now());
    if (stored === undefined) await users.remove(tx, id);
    if (stored === undefined || !isActive(stored)) await deps.sessions.endIn(tx, id, origin);
    return stored;
  }
}

/** Returns a person who must be there. */
export function requirePerson(user: StoredUser | undefined): StoredUser {
  if (user === undefined) throw notFound();
  return user;
}
