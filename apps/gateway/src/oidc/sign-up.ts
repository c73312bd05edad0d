import { newId, type Clock } from '@clew/kernel';
import type { AuditActor } from '@clew/contracts';
import type { Transaction } from '@clew/persistence';
import type { InvitationsOfAddress } from '../invitations/find-open-invitation.ts';
import { emailKeyOf, type StoredUser } from '../people/user.ts';
import type { OldestWorkspace } from '../projects/workspaces.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import type { SignInOrigin } from '../request-origin.ts';
import type { MakeFirstOwner } from '../sign-in/first-owner.ts';
import { isOfDomain, mappedRoles, withIdentity, type ProvenIdentity } from './identity.ts';
import type { MappedRole, OidcProvider } from './provider-config.ts';

/** Actor of what a provider decides about a person. */
export function providerActor(providerId: string): AuditActor {
  return { kind: 'system', id: `oidc:${providerId}` };
}

/** Leaves out roles in projects that the workspace does not have. */
export type ExistingRoles = (
  tx: Transaction,
  workspaceId: string,
  roles: readonly MappedRole[],
) => Promise<MappedRole[]>;

export function createExistingRoles({ projects }: { projects: Pick<ProjectStore, 'get'> }): ExistingRoles {
  return async (tx, workspaceId, roles) => {
    const found: MappedRole[] = [];
    for (const role of roles) {
      if ((await projects.get(workspaceId, role.project, tx)) !== undefined) found.push(role);
    }
    return found;
  };
}

export interface SignUpDependencies {
  invitationsOf: InvitationsOfAddress;
  existing: ExistingRoles;
  oldestWorkspace: OldestWorkspace;
  makeFirstOwner: MakeFirstOwner;
  /** Addresses whose people are owners, in the form by which accounts are found. */
  adminEmails: ReadonlySet<string>;
  clock: Clock;
}

/**
 * Makes an account for a new, verified address, if it may have one; undefined if not. The account is not stored yet,
 * but for that of the first owner, which is `before`.
 */
export type SignUp = (
  tx: Transaction,
  provider: OidcProvider,
  identity: ProvenIdentity & { email: string },
  origin: SignInOrigin,
) => Promise<{ before: StoredUser | undefined; after: StoredUser } | undefined>;

export function createSignUp(deps: SignUpDependencies): SignUp {
  /** Whether the policy of the provider lets somebody in who is neither invited nor named as an owner. */
  async function isWelcome(
    tx: Transaction,
    workspaceId: string,
    provider: OidcProvider,
    { email, groups }: ProvenIdentity & { email: string },
  ): Promise<boolean> {
    if (provider.signUp !== 'mapped') return isOfDomain(provider, email);
    return (await deps.existing(tx, workspaceId, mappedRoles(provider, groups))).length > 0;
  }

  return async (tx, provider, identity, origin) => {
    const { email, name = email } = identity;
    const isAdmin = deps.adminEmails.has(emailKeyOf(email));
    if (isAdmin) {
      const by = { actor: providerActor(provider.id), origin };
      const owner = await deps.makeFirstOwner(tx, { email, name, passwordHash: null }, by);
      if (owner !== undefined) return { before: owner, after: withIdentity(owner, identity) };
    }
    const [invitation] = await deps.invitationsOf(email, tx);
    const workspaceId = invitation?.workspaceId ?? (await deps.oldestWorkspace(tx));
    if (workspaceId === undefined) return undefined;
    const isInvited = isAdmin || invitation !== undefined;
    if (!isInvited && !(await isWelcome(tx, workspaceId, provider, identity))) return undefined;
    const now = deps.clock.now();
    const made: StoredUser = {
      ...{ id: newId('usr'), workspaceId, email, emailKey: emailKeyOf(email), name, owner: false, state: 'active' },
      ...{ memberships: [], credentials: [], identities: [], lastSignedInAt: null, version: 1 },
      ...{ createdAt: now, updatedAt: now },
    };
    return { before: undefined, after: withIdentity(made, identity) };
  };
}
