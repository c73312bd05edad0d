import { newId, type Clock } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import type { AuditActor } from '@clew/contracts';
import { userActor, type PeopleJournal } from '../people/people-journal.ts';
import { emailKeyOf, withPassword, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import { createOldestWorkspace } from '../projects/oldest-workspace.ts';
import { workspaceModel } from '../projects/project.model.ts';
import { secretMark } from '../projects/secret-mark.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { OneTimeLinkStore } from './one-time-links.store.ts';

export interface NewPerson {
  email: string;
  name: string;
  /** Hash of the password; null for somebody who has none yet. */
  passwordHash: string | null;
}

/** Builds an owner of a workspace. */
export function newOwner(workspaceId: string, { email, name, passwordHash }: NewPerson, nowMs: number): StoredUser {
  const user: StoredUser = {
    ...{ id: newId('usr'), workspaceId, email: email.trim(), emailKey: emailKeyOf(email), name },
    ...{ owner: true, state: 'active', memberships: [], credentials: [], identities: [] },
    ...{ createdAt: nowMs, updatedAt: nowMs, lastSignedInAt: null, version: 1 },
  };
  return passwordHash === null ? user : withPassword(user, passwordHash, nowMs);
}

export interface FirstOwnerDependencies {
  database: Database;
  users: Pick<UserStore, 'insert' | 'hasAny'>;
  links: Pick<OneTimeLinkStore, 'prepareGuard' | 'guardFirst' | 'removeAll'>;
  journal: Pick<PeopleJournal, 'record'>;
  clock: Clock;
  authSecret: string;
}

/**
 * Makes the first owner in a transaction, once for all that try at the same time; undefined if somebody has an account
 * already. The owner gets the oldest workspace, or the first one.
 */
export type MakeFirstOwner = (
  tx: Transaction,
  person: NewPerson,
  by: { actor?: AuditActor; origin: RequestOrigin },
) => Promise<StoredUser | undefined>;

export function createFirstOwner(deps: FirstOwnerDependencies): MakeFirstOwner {
  const { database, users, links, journal, clock } = deps;
  const workspaces = workspaceModel(database.connection);
  const oldestWorkspace = createOldestWorkspace(database);

  async function workspaceIn(tx: Transaction, nowMs: number): Promise<string> {
    const oldest = await oldestWorkspace(tx);
    if (oldest !== undefined) return oldest;
    const workspace = {
      _id: newId('ws'),
      name: 'Workspace',
      createdAt: nowMs,
      secretMark: secretMark(deps.authSecret),
    };
    await workspaces.create([workspace], { session: tx });
    return workspace._id;
  }

  return async (tx, person, { actor, origin }) => {
    await links.guardFirst(tx);
    if (await users.hasAny(tx)) return undefined;
    const nowMs = clock.now();
    const workspaceId = await workspaceIn(tx, nowMs);
    const owner = newOwner(workspaceId, person, nowMs);
    await users.insert(tx, owner);
    await links.removeAll(tx, 'set-up');
    const by = { actor: actor ?? userActor(owner), target: { kind: 'person', id: owner.id } as const, origin };
    await journal.record(tx, { action: 'person.created', workspaceId, ...by, after: { owner: true }, nowMs });
    return owner;
  };
}
