import { newId, type Clock } from '@clew/kernel';
import type { AuditActor } from '@clew/contracts';
import { isDuplicateKey, type Database, type Transaction } from '@clew/persistence';
import type { InvitationsOfAddress } from '../invitations/find-open-invitation.ts';
import { givenBy } from '../invitations/invitation.ts';
import type { InvitationJournal } from '../invitations/invitation-journal.ts';
import type { InvitationStore } from '../invitations/invitations.store.ts';
import { changesOwners, withInvited } from '../members/member.ts';
import type { PersonJournal } from '../members/person-journal.ts';
import { emailKeyOf, isActive, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { OldestWorkspace } from '../projects/oldest-workspace.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import type { SignInOrigin } from '../request-origin.ts';
import type { OpenedSession, Sessions } from '../sessions/sessions.service.ts';
import type { MakeFirstOwner } from '../sign-in/first-owner.ts';
import { isOfDomain, mappedRoles, withIdentity, withMappedRoles, type ProvenIdentity } from './identity.ts';
import type { MappedRole, OidcProvider } from './provider-config.ts';

export interface AdmitDependencies {
  database: Database;
  users: UserStore;
  invitations: Pick<InvitationStore, 'remove'>;
  invitationsOf: InvitationsOfAddress;
  invitationJournal: InvitationJournal;
  people: PersonJournal;
  projects: Pick<ProjectStore, 'get'>;
  oldestWorkspace: OldestWorkspace;
  makeFirstOwner: MakeFirstOwner;
  sessions: Pick<Sessions, 'openIn'>;
  /** Addresses whose people are owners, in the form by which accounts are found. */
  adminEmails: ReadonlySet<string>;
  clock: Clock;
}

/** What becomes of somebody whom a provider has proved. */
export type Admission =
  | { kind: 'opened'; opened: OpenedSession }
  /** The address has an account here, whose person has not said yet that the account at the provider is theirs. */
  | { kind: 'unlinked'; user: StoredUser; email: string; roles: MappedRole[] }
  | { kind: 'refused'; reason: 'deactivated' | 'unverified' | 'not-invited'; user?: StoredUser };

/** What a provider says of a person at a sign-in, beside who they are. */
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

/** Actor of what a provider decides about a person. */
export function providerActor(providerId: string): AuditActor {
  return { kind: 'system', id: `oidc:${providerId}` };
}

export function createAdmissions(deps: AdmitDependencies): Admissions {
  const { database, users, projects, invitationsOf, clock } = deps;

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

  /** Makes an account for a new address, if it may have one. */
  async function signUp(
    tx: Transaction,
    provider: OidcProvider,
    identity: ProvenIdentity & { email: string },
    origin: SignInOrigin,
  ): Promise<{ before: StoredUser | undefined; after: StoredUser } | undefined> {
    const { email, name = email } = identity;
    const isAdmin = deps.adminEmails.has(emailKeyOf(email));
    if (isAdmin) {
      const by = { actor: providerActor(provider.id), origin };
      const owner = await deps.makeFirstOwner(tx, { email, name, passwordHash: null }, by);
      if (owner !== undefined) return { before: owner, after: withIdentity(owner, identity) };
    }
    const [invitation] = await invitationsOf(email, tx);
    const workspaceId = invitation?.workspaceId ?? (await deps.oldestWorkspace(tx));
    if (workspaceId === undefined) return undefined;
    const isWelcome = async () =>
      provider.signUp === 'mapped' &&
      (await existing(tx, workspaceId, mappedRoles(provider, identity.groups))).length > 0;
    if (!isAdmin && invitation === undefined && !isOfDomain(provider, email) && !(await isWelcome())) return undefined;
    const now = clock.now();
    const made: StoredUser = {
      ...{ id: newId('usr'), workspaceId, email, emailKey: emailKeyOf(email), name, owner: false, state: 'active' },
      ...{ memberships: [], credentials: [], identities: [], lastSignedInAt: null, version: 1 },
      ...{ createdAt: now, updatedAt: now },
    };
    return { before: undefined, after: withIdentity(made, identity) };
  }

  /** Leaves out projects that are gone. */
  async function existing(tx: Transaction, workspaceId: string, roles: readonly MappedRole[]): Promise<MappedRole[]> {
    const found: MappedRole[] = [];
    for (const role of roles) {
      if ((await projects.get(workspaceId, role.project, tx)) !== undefined) found.push(role);
    }
    return found;
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
