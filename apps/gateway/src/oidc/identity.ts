import { AppError } from '@clew/kernel';
import { EmailAddress, MAX_MEMBERSHIPS, Name, ROLES, type Membership } from '@clew/contracts';
import { emailKeyOf, type StoredUser, type UserIdentity } from '../people/user.ts';
import type { Claims } from './provider-client.ts';
import type { MappedRole, OidcProvider } from './provider-config.ts';

/** Person as a provider has told of them. */
export interface ProvenIdentity extends UserIdentity {
  /** Address that the provider has verified; undefined without one. */
  email: string | undefined;
  name: string | undefined;
  groups: readonly string[];
}

const MAX_SUBJECT_LENGTH = 255;
const MAX_GROUPS = 5_000;

/** Reads claims. An address that is not marked as verified, by `true` itself, is none. */
export function identityOf(
  { roleMapping }: Pick<OidcProvider, 'roleMapping'>,
  issuer: string,
  claims: Claims,
): ProvenIdentity | undefined {
  const { sub: subject } = claims;
  if (subject.length === 0 || subject.length > MAX_SUBJECT_LENGTH) return undefined;
  const email = claims['email_verified'] === true ? EmailAddress.safeParse(claims['email']).data : undefined;
  const named = [claims['name'], claims['preferred_username'], email?.split('@', 1)[0]];
  const name = named.map((each) => Name.safeParse(each).data).find((each) => each !== undefined);
  const groups = roleMapping === undefined ? undefined : ownValue(claims, roleMapping.claim);
  return { issuer, subject, email, name, groups: textsOf(groups) };
}

function ownValue(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value.slice(0, MAX_GROUPS) : [value];
  return values.filter((each) => typeof each === 'string');
}

/** Roles that the groups of a person have by the mapping, the highest for each project. */
export function mappedRoles(
  { roleMapping }: Pick<OidcProvider, 'roleMapping'>,
  groups: readonly string[],
): MappedRole[] {
  const map = new Map(Object.entries(roleMapping?.map ?? {}));
  const best = new Map<string, MappedRole>();
  for (const given of groups.flatMap((group) => map.get(group) ?? [])) {
    const held = best.get(given.project);
    if (held === undefined || ROLES.indexOf(given.role) > ROLES.indexOf(held.role)) best.set(given.project, given);
  }
  return [...best.values()];
}

/**
 * Gives a person exactly the roles that a provider maps: those that it gave before and maps no more are gone, and in a
 * project that it maps its role counts, whoever gave the one before. The same object if nothing changes.
 */
export function withMappedRoles(user: StoredUser, providerId: string, roles: readonly MappedRole[]): StoredUser {
  const mapped = new Map(roles.map(({ project, role }) => [project, role]));
  const kept = user.memberships.flatMap((held): Membership[] => {
    const role = mapped.get(held.projectId);
    if (role === undefined) return held.managedBy === providerId ? [] : [held];
    mapped.delete(held.projectId);
    return [held.role === role && held.managedBy === providerId ? held : { ...held, role, managedBy: providerId }];
  });
  const added = [...mapped].map(([projectId, role]) => ({ projectId, role, managedBy: providerId }));
  const memberships = [...kept, ...added];
  if (memberships.length > MAX_MEMBERSHIPS) {
    throw new AppError('CONFLICT', `A person is a member of at most ${MAX_MEMBERSHIPS} projects`);
  }
  const isSame =
    memberships.length === user.memberships.length && memberships.every((each, at) => each === user.memberships[at]);
  return isSame ? user : { ...user, memberships };
}

/** Adds an account of a provider to a person, in place of another one of the same provider. */
export function withIdentity(user: StoredUser, { issuer, subject }: UserIdentity): StoredUser {
  const others = user.identities.filter((each) => each.issuer !== issuer);
  return { ...user, identities: [...others, { issuer, subject }] };
}

/** Whether a provider lets an address of this domain sign up. */
export function isOfDomain({ signUp, allowedDomains }: OidcProvider, email: string): boolean {
  return signUp === 'domain' && allowedDomains.includes(emailKeyOf(email).split('@').at(-1) ?? '');
}
