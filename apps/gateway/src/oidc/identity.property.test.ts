import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ROLES, type Membership, type Role } from '@clew/contracts';
import { testPerson } from '../test-support/people.ts';
import { identityOf, isOfDomain, mappedRoles, withIdentity, withMappedRoles } from './identity.ts';
import type { OidcProvider } from './provider-config.ts';

const PROJECTS = ['prj_a', 'prj_b', 'prj_c', 'prj_d'] as const;
const GROUPS = ['one', 'two', 'three'] as const;
const PROVIDERS = ['okta', 'other'] as const;

const role = fc.constantFrom<Role>(...ROLES);
const mapped = fc.record({ project: fc.constantFrom(...PROJECTS), role });
const map = fc.record(Object.fromEntries(GROUPS.map((group) => [group, fc.array(mapped, { maxLength: 4 })])));
const memberships = fc.uniqueArray(
  fc.record<Membership>(
    { projectId: fc.constantFrom(...PROJECTS), role, managedBy: fc.constantFrom<string>(...PROVIDERS) },
    { requiredKeys: ['projectId', 'role'] },
  ),
  { selector: ({ projectId }) => projectId },
);

describe('roles that a provider maps', () => {
  it('are, in each project, the highest of those of the groups, and never more', () => {
    fc.assert(
      fc.property(map, fc.subarray([...GROUPS, 'unknown', '__proto__']), (byGroup, groups) => {
        const given = mappedRoles({ roleMapping: { claim: 'groups', map: byGroup } }, groups);
        for (const project of PROJECTS) {
          const ranks = groups
            .flatMap((group) => (Object.hasOwn(byGroup, group) ? (byGroup[group] ?? []) : []))
            .filter((each) => each.project === project)
            .map((each) => ROLES.indexOf(each.role));
          const found = given.filter((each) => each.project === project);
          expect(found.map((each) => ROLES.indexOf(each.role))).toEqual(ranks.length === 0 ? [] : [Math.max(...ranks)]);
        }
      }),
    );
  });

  it('are all that a person has of the provider, and touch nothing else; a second time changes nothing', () => {
    fc.assert(
      fc.property(memberships, fc.uniqueArray(mapped, { selector: ({ project }) => project }), (held, roles) => {
        const { user } = testPerson(held);
        const after = withMappedRoles(user, 'okta', roles);
        const managed = after.memberships.filter(({ managedBy }) => managedBy === 'okta');
        const byProject = (given: readonly { projectId: string; role: Role }[]) =>
          new Map(given.map((each) => [each.projectId, each.role]));
        expect(byProject(managed)).toEqual(
          byProject(roles.map((each) => ({ projectId: each.project, role: each.role }))),
        );
        const others = ({ projectId, managedBy }: Membership) =>
          managedBy !== 'okta' && !roles.some(({ project }) => project === projectId);
        expect(after.memberships.filter(others)).toEqual(held.filter(others));
        expect(new Set(after.memberships.map(({ projectId }) => projectId)).size).toBe(after.memberships.length);
        expect(withMappedRoles(after, 'okta', roles)).toBe(after);
        expect([after.owner, after.state]).toEqual([user.owner, user.state]);
      }),
    );
  });

  it('are too many beyond a thousand projects', () => {
    const roles = Array.from({ length: 1_001 }, (_, at) => ({ project: `prj_${at}`, role: 'viewer' as const }));
    expect(() => withMappedRoles(testPerson([]).user, 'okta', roles)).toThrow('1000');
  });
});

describe('the claims of a provider', () => {
  const NO_MAPPING = { roleMapping: undefined };

  it('whatever they are, give a bounded identity or none, and an address only if it is verified by true itself', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(true, 'true', 1, 'ada@example.org', '<script>@x', 'a'.repeat(300)),
    );
    const claims = fc.record({ sub: fc.string(), email: value, email_verified: value, name: value, groups: value });
    fc.assert(
      fc.property(claims, (given) => {
        const found = identityOf({ roleMapping: { claim: 'groups', map: {} } }, 'https://issuer.example', given);
        if (found === undefined) return;
        if (given.email_verified !== true) expect(found.email).toBeUndefined();
        expect(found.name?.length ?? 0).toBeLessThanOrEqual(200);
        expect(found.groups.every((group) => typeof group === 'string')).toBe(true);
      }),
    );
  });

  it.each([
    [{ name: 'Ada Lovelace' }, 'Ada Lovelace'],
    [{ name: ' ', preferred_username: 'ada' }, 'ada'],
    [{ name: 7, email: 'ada@example.org', email_verified: true }, 'ada'],
    [{}, undefined],
  ])('name a person: %j', (claims, name) => {
    expect(identityOf(NO_MAPPING, 'https://issuer.example', { sub: 'x', ...claims })?.name).toBe(name);
  });

  it('have groups as a list or as one text, and none by an inherited name', () => {
    const groupsOf = (claim: string, groups: unknown) =>
      identityOf({ roleMapping: { claim, map: {} } }, 'https://issuer.example', { sub: 'x', groups })?.groups;
    expect(groupsOf('groups', ['a', 7, 'b'])).toEqual(['a', 'b']);
    expect(groupsOf('groups', 'a')).toEqual(['a']);
    expect(groupsOf('constructor', 'a')).toEqual([]);
  });

  it('without a subject, or with an endless one, name nobody', () => {
    for (const sub of ['', 'x'.repeat(256)])
      expect(identityOf(NO_MAPPING, 'https://issuer.example', { sub })).toBeUndefined();
  });
});

it('a person has one account of each provider', () => {
  const { user } = testPerson([]);
  const [first, second, other] = [
    { issuer: 'https://one.example', subject: 'a' },
    { issuer: 'https://one.example', subject: 'b' },
    { issuer: 'https://two.example', subject: 'a' },
  ] as const;
  expect(withIdentity(withIdentity(withIdentity(user, first), other), second).identities).toEqual([other, second]);
});

it('a domain is the whole of what follows the last @, in any case', () => {
  const provider = { signUp: 'domain', allowedDomains: ['corp.example'] } as unknown as OidcProvider;
  const allowed = (email: string) => isOfDomain(provider, email);
  expect([allowed('a@corp.example'), allowed('a@CORP.example')]).toEqual([true, true]);
  expect([allowed('a@xcorp.example'), allowed('corp.example@evil.example')]).toEqual([false, false]);
  expect(isOfDomain({ ...provider, signUp: 'invited' }, 'a@corp.example')).toBe(false);
});
