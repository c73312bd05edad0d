import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '@clew/kernel';
import { PERMISSIONS, ROLE_PERMISSIONS, type PersonChange, type Role } from '@clew/contracts';
import { permissionsIn, type StoredUser } from '../people/user.ts';
import { changed, changesOwners, requireOwnerLeft, withInvited, withoutRole, withRole } from './member.ts';
import { covers, mayGive, rightsOfKey, rightsOfUser, type Rights } from './rights.ts';

const PROJECTS = ['prj_a', 'prj_b', 'prj_c'];
const PEOPLE = ['usr_1', 'usr_2', 'usr_3'];
const role = fc.constantFrom<Role>('viewer', 'editor', 'admin');
const project = fc.constantFrom(...PROJECTS);
const person = fc.constantFrom(...PEOPLE);

/** Keys that take part beside the people. */
const KEYS: Readonly<Record<string, Parameters<typeof rightsOfKey>[0]>> = {
  key_a: { scopes: ['workspace:admin'], projectIds: ['prj_a'] },
  key_all: { scopes: ['workspace:admin'], projectIds: 'all' },
  key_weak: { scopes: ['workspace:read', 'diagnostics:write'], projectIds: 'all' },
};
const actor = fc.constantFrom(...PEOPLE, ...Object.keys(KEYS));

type Deed =
  | { kind: 'set'; by: string; to: string; projectId: string; role: Role }
  | { kind: 'remove'; by: string; to: string; projectId: string }
  | { kind: 'change'; by: string; to: string; change: PersonChange }
  | { kind: 'delete'; by: string; to: string }
  | { kind: 'invite'; by: string; to: string; owner: boolean; projectRoles: { projectId: string; role: Role }[] };

const to = { by: actor, to: person };
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), ...to, projectId: project, role }),
  fc.record({ kind: fc.constant('remove' as const), ...to, projectId: project }),
  fc.record({
    ...{ kind: fc.constant('change' as const), ...to },
    change: fc.record(
      { owner: fc.boolean(), state: fc.constantFrom('active' as const, 'deactivated' as const) },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ kind: fc.constant('delete' as const), ...to }),
  fc.record({
    ...{ kind: fc.constant('invite' as const), ...to, owner: fc.boolean() },
    projectRoles: fc.uniqueArray(fc.record({ projectId: project, role }), { selector: (given) => given.projectId }),
  }),
);

function stored(id: string, owner: boolean): StoredUser {
  return {
    ...{ id, workspaceId: 'ws_1', email: `${id}@example.com`, emailKey: `${id}@example.com`, name: id, owner },
    ...{ state: 'active', memberships: [], credentials: [], identities: [] },
    ...{ createdAt: 0, updatedAt: 0, lastSignedInAt: null, version: 1 },
  };
}

type World = ReadonlyMap<string, StoredUser>;

/** Set of everything that an actor has in the world, in words that the code under test does not use. */
function powersOf(world: World, id: string): Set<string> {
  const key = KEYS[id];
  if (key !== undefined) {
    if (!key.scopes.includes('workspace:admin')) return new Set();
    const projectIds = key.projectIds === 'all' ? PROJECTS : key.projectIds;
    return new Set(projectIds.flatMap((each) => ROLE_PERMISSIONS.admin.map((name) => `${each} ${name}`)));
  }
  const user = world.get(id);
  if (user === undefined || user.state !== 'active') return new Set();
  return heldBy(user);
}

/** Set of everything that a person has, or has again once active. */
function heldBy(user: StoredUser): Set<string> {
  return new Set(
    PROJECTS.flatMap((each) =>
      (permissionsIn(user, each) ?? [])
        .filter((name) => user.owner || name !== 'workspace:admin')
        .map((name) => `${each} ${name}`),
    ),
  );
}

const rightsIn = (world: World, id: string): Rights => {
  const key = KEYS[id];
  if (key !== undefined) return rightsOfKey(key);
  const user = world.get(id);
  return user === undefined ? { owner: false, roles: new Map() } : rightsOfUser(user);
};

const activeOwners = (world: World) =>
  [...world.values()].filter((user) => user.owner && user.state === 'active').length;

function ruleOf(rights: Rights, act: Deed, user: StoredUser): StoredUser | undefined {
  switch (act.kind) {
    case 'set':
      return withRole(rights, user, act.projectId, act.role);
    case 'remove':
      return withoutRole(rights, user, act.projectId);
    case 'change':
      return changed(rights, user, act.change);
    case 'delete':
      changed(rights, user, {});
      return undefined;
    case 'invite':
      if (!mayGive(rights, act)) throw new AppError('FORBIDDEN', 'no');
      return withInvited(user, act);
  }
}

/** Does a deed as the service does; the same world if it is refused. */
function done(world: World, act: Deed): World {
  const user = world.get(act.to);
  if (user === undefined) return world;
  try {
    const after = ruleOf(rightsIn(world, act.by), act, user);
    if (changesOwners(user, after)) requireOwnerLeft(user, after, activeOwners(world));
    const next = new Map(world);
    if (after === undefined) next.delete(act.to);
    else next.set(act.to, after);
    return next;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return world;
  }
}

const FIRST: World = new Map([
  ['usr_1', stored('usr_1', true)],
  ['usr_2', stored('usr_2', true)],
  ['usr_3', stored('usr_3', false)],
]);

const isSubset = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...some].every((each) => others.has(each));

describe('whatever people and keys do to each other', () => {
  it('nobody gives what they do not have, and an active owner stays', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 40 }), (deeds) => {
        let world = FIRST;
        for (const act of deeds) {
          const before = world;
          world = done(world, act);
          const own = powersOf(before, act.by);
          for (const id of PEOPLE) {
            const [had, has] = [powersOf(before, id), powersOf(world, id)];
            expect(isSubset(new Set([...has].filter((each) => !had.has(each))), own)).toBe(true);
          }
          expect(activeOwners(world)).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('nobody deactivates, unmakes or removes somebody who has more', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 20 }), deed, (deeds, act) => {
        const before = deeds.reduce(done, FIRST);
        const after = done(before, act);
        const user = before.get(act.to);
        const gone = after.get(act.to);
        const isLess =
          user !== undefined && (gone === undefined || gone.state !== user.state || gone.owner !== user.owner);
        if (isLess && act.kind !== 'invite') expect(isSubset(heldBy(user), powersOf(before, act.by))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('an invitation never takes a role away, and does nothing the second time', () => {
    fc.assert(
      fc.property(
        fc.array(deed, { maxLength: 20 }),
        fc.boolean(),
        fc.uniqueArray(fc.record({ projectId: project, role }), { selector: (given) => given.projectId }),
        (deeds, owner, projectRoles) => {
          const user = deeds.reduce(done, FIRST).get('usr_3') ?? stored('usr_3', false);
          const joined = withInvited(user, { owner, projectRoles });
          expect(isSubset(heldBy(user), heldBy(joined))).toBe(true);
          for (const given of projectRoles) {
            const held = new Set(permissionsIn(joined, given.projectId));
            expect(ROLE_PERMISSIONS[given.role].every((name) => held.has(name))).toBe(true);
          }
          expect(withInvited(joined, { owner, projectRoles })).toBe(joined);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a role that a sign-in provider manages', () => {
  const admin: Rights = { owner: true, roles: 'admin' };
  const managed = {
    ...stored('usr_3', false),
    memberships: [{ projectId: 'prj_a', role: 'viewer' as const, managedBy: 'corp' }],
  };
  const refused = expect.objectContaining({ code: 'MEMBER_MANAGED' });

  it.each<[string, () => unknown]>([
    ['is not changed by an owner', () => withRole(admin, managed, 'prj_a', 'admin')],
    ['is not set to what it is', () => withRole(admin, managed, 'prj_a', 'viewer')],
    ['is not removed', () => withoutRole(admin, managed, 'prj_a')],
  ])('%s', (_name, act) => {
    expect(act).toThrow(refused);
  });

  it('is not raised by an invitation', () => {
    expect(withInvited(managed, { owner: false, projectRoles: [{ projectId: 'prj_a', role: 'admin' }] })).toBe(managed);
  });
});

it('an owner has every permission, and an admin all but that of the workspace', () => {
  expect(new Set([...ROLE_PERMISSIONS.admin, 'workspace:admin'])).toEqual(new Set(PERMISSIONS));
  expect(covers({ owner: false, roles: 'admin' }, stored('usr_1', true))).toBe(false);
  expect(covers({ owner: true, roles: 'admin' }, stored('usr_1', true))).toBe(true);
});
