import type { Clock } from '@clew/kernel';
import { isDuplicateKey, type Database, type Transaction } from '@clew/persistence';
import { givenBy } from '../invitations/invitation.ts';
import type { InvitationJournal } from '../invitations/invitation-journal.ts';
import type { InvitationStore } from '../invitations/invitations.store.ts';
import { changesOwners, withInvited } from '../members/member.ts';
import type { PersonJournal } from '../members/person-journal.ts';
import { emailKeyOf, isActive, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import type { SignInOrigin } from '../request-origin.ts';
import type { OpenedSession, Sessions } from '../sessions/sessions.service.ts';
import { mappedRoles, withMappedRoles, type ProvenIdentity } from './identity.ts';
import type { MappedRole, OidcProvider } from './provider-config.ts';
import { createExistingRoles, createSignUp, providerActor, type SignUpDependencies } from './sign-up.ts';

export interface AdmitDependencies extends Omit<SignUpDependencies, 'existing'> {
  database: Database;
  users: UserStore;
  invitations: Pick<InvitationStore, 'remove'>;
  invitationJournal: InvitationJournal;
  people: PersonJournal;
  projects: Pick<ProjectStore, 'get'>;
  sessions: Pick<Sessions, 'openIn'>;
  clock: Clock;
}

/** Outcome for somebody whom a provider has proved. */
export type Admission =
  | { kind: 'opened'; opened: OpenedSession }
  /** The address has an account here, whose person has not said yet that the account at the provider is theirs. */
  | { kind: 'unlinked'; user: StoredUser; email: string; roles: MappedRole[] }
  | { kind: 'refused'; reason: 'deactivated' | 'unverified' | 'not-invited'; user?: StoredUser };

/** Standing of a person, as a provider tells it at a sign-in. */
export interface Standing {
  providerId: string;
  email: string | undefined;
  roles: readonly MappedRole[];
}

export interface Admissions {
  /** Lets somebody in, or says why not. */
  admit(provider: OidcProvider, identity: ProvenIdentity, origin: SignInOrigin): Promise<Admission>;
  /** Gives a person what their standing says, in a transaction, and signs them in; `before` is absent for a new one. */
  welcome(
    tx: Transaction,
    states: { before: StoredUser | undefined; after: StoredUser },
    standing: Standing,
    origin: SignInOrigin,
  ): Promise<OpenedSession>;
}

export function createAdmissions(deps: AdmitDependencies): Admissions {
  const { database, users, invitationsOf, clock } = deps;
  const existing = createExistingRoles(deps);
  const signUp = createSignUp({ ...deps, existing });

  async function admitIn(
    tx: Transaction,
    provider: OidcProvider,
    identity: ProvenIdentity,
    origin: SignInOrigin,
  ): Promise<Admission> {
    const { email } = identity;
    const roles = mappedRoles(provider, identity.groups);
    const standing = { providerId: provider.id, email, roles };
    const known = await users.findByIdentity(identity, tx);
    if (known !== undefined) {
      if (!isActive(known)) return { kind: 'refused', reason: 'deactivated', user: known };
      return { kind: 'opened', opened: await welcome(tx, { before: known, after: known }, standing, origin) };
    }
    if (email === undefined) return { kind: 'refused', reason: 'unverified' };
    const namesake = await users.findByEmail(email, tx);
    if (namesake !== undefined) {
      if (!isActive(namesake)) return { kind: 'refused', reason: 'deactivated', user: namesake };
      return { kind: 'unlinked', user: namesake, email, roles };
    }
    const states = await signUp(tx, provider, { ...identity, email }, origin);
    if (states === undefined) return { kind: 'refused', reason: 'not-invited' };
    return { kind: 'opened', opened: await welcome(tx, states, standing, origin) };
  }

  async function withInvitations(
    tx: Transaction,
    user: StoredUser,
    email: string,
    origin: SignInOrigin,
  ): Promise<StoredUser> {
    let joined = user;
    for (const invitation of await invitationsOf(email, tx)) {
      if (invitation.workspaceId !== user.workspaceId || !(await deps.invitations.remove(tx, invitation))) continue;
      joined = withInvited(joined, givenBy(invitation));
      const by = { actor: { kind: 'user' as const, id: user.id }, origin };
      await deps.invitationJournal.record(tx, 'invitation.accepted', invitation, by);
    }
    return joined;
  }

  async function welcome(
    tx: Transaction,
    { before, after }: { before: StoredUser | undefined; after: StoredUser },
    { providerId, email, roles }: Standing,
    origin: SignInOrigin,
  ): Promise<OpenedSession> {
    const invited = email === undefined ? after : await withInvitations(tx, after, email, origin);
    // Last, so that in a mapped project the role of the provider counts.
    const mapped = withMappedRoles(invited, providerId, await existing(tx, after.workspaceId, roles));
    const isAdmin = email !== undefined && deps.adminEmails.has(emailKeyOf(email));
    const wanted = isAdmin && !mapped.owner ? { ...mapped, owner: true } : mapped;
    if (wanted === before) return await deps.sessions.openIn(tx, wanted, 'oidc', origin);
    if (changesOwners(before, wanted)) await users.guardOwners(tx, wanted.workspaceId);
    const stored = await store(tx, before, wanted);
    await deps.people.changed(tx, { actor: providerActor(providerId), origin }, { before, after: stored });
    return await deps.sessions.openIn(tx, stored, 'oidc', origin);
  }

  async function store(tx: Transaction, before: StoredUser | undefined, wanted: StoredUser): Promise<StoredUser> {
    if (before !== undefined) return (await users.update(tx, wanted.id, () => wanted, clock.now())) ?? wanted;
    await users.insert(tx, wanted);
    return wanted;
  }

  return {
    welcome,
    async admit(provider, identity, origin) {
      const once = () => database.withTransaction((tx) => admitIn(tx, provider, identity, origin));
      try {
        return await once();
      } catch (error) {
        // Another tab has made the account at the same moment: now it is there.
        if (!isDuplicateKey(error)) throw error;
        return await once();
      }
    },
  };
}
