import { describe, expect, it } from '@jest/globals';
import { publicRoutes } from '@clew/contracts/all-routes';
import { OWNER_PERMISSIONS, ROLE_PERMISSIONS, ROLES, SCOPES } from '@clew/contracts';
import { scopesCoveredBy, scopesIn } from './scopes-of-person.ts';

const roles = [...ROLES.map((role) => [role, ROLE_PERMISSIONS[role]] as const), ['owner', OWNER_PERMISSIONS] as const];

describe('the scopes that somebody can give to a key', () => {
  it.each(roles)('open no route that a %s cannot call', (_role, permissions) => {
    const scopes = scopesCoveredBy(permissions);
    const beyond = publicRoutes().filter(({ access }) => {
      if (access.kind !== 'caller') return false;
      const opens = access.scopes.some((scope) => scopes.includes(scope));
      const mayCall = access.permissions.some((permission) => permissions.includes(permission));
      // Telemetry is sent by programs, so that no permission of a person names it.
      return opens && !mayCall && access.permissions.length > 0;
    });
    expect(beyond.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('are more with each role, and all for an owner', () => {
    const counts = roles.map(([, permissions]) => scopesCoveredBy(permissions).length);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(scopesCoveredBy(OWNER_PERMISSIONS)).toEqual(SCOPES);
    expect(scopesCoveredBy([])).toEqual([]);
  });

  it('are for several projects those that one has in each', () => {
    const memberships = [
      { projectId: 'prj_a', role: 'admin' as const },
      { projectId: 'prj_b', role: 'viewer' as const },
    ];
    const user = { owner: false, memberships };
    expect(scopesIn(user, ['prj_a', 'prj_b'])).toEqual(scopesIn(user, ['prj_b']));
    expect(scopesIn(user, ['prj_a', 'prj_c'])).toEqual([]);
    expect(scopesIn(user, 'all')).toEqual([]);
    expect(scopesIn({ owner: true, memberships: [] }, 'all')).toEqual(SCOPES);
  });
});
