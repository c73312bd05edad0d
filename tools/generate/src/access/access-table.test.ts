import { describe, expect, it } from '@jest/globals';
import { defineRoute, ROLE_PERMISSIONS, ROLES, type RouteSpec, type Scope } from '@clew/contracts';
import { publicRoutes } from '@clew/contracts/all-routes';
import { readAccessTable, type AccessRow } from '@clew/testing/access';

const rows = readAccessTable();
const placeOf = ({ method, path }: Pick<AccessRow, 'method' | 'path'>) => `${method.toUpperCase()} ${path}`;

/** Row that a route spec amounts to. */
function rowOf(spec: RouteSpec): AccessRow {
  const { operationId, method, path, access, routeClass = 'json', errorFormat } = spec;
  const place = { operationId, method: method.toUpperCase(), path };
  if (access.kind !== 'caller') return { ...place, scopes: [], person: null, isOpen: access.kind === 'public' };
  const isForPrograms = errorFormat === 'openai' || routeClass === 'otlp' || routeClass === 'inference';
  return {
    ...place,
    scopes: access.scopes,
    person: isForPrograms ? null : lowestOf(access),
    isOpen: false,
  };
}

function lowestOf(access: RouteSpec['access'] & { kind: 'caller' }): AccessRow['person'] {
  if (access.anyPerson === true) return 'anybody';
  const role = ROLES.find((each) => ROLE_PERMISSIONS[each].some((held) => access.permissions.includes(held)));
  if (role !== undefined) return role;
  return access.permissions.includes('workspace:admin') ? 'owner' : null;
}

describe('docs/access.md', () => {
  it('has one row for each public route, and no other', () => {
    expect(rows.map(placeOf).toSorted()).toEqual(publicRoutes().map(placeOf).toSorted());
  });

  it.each(publicRoutes().map((spec) => [spec.operationId, spec] as const))('says who calls %s', (operationId, spec) => {
    const row = rows.find((each) => each.operationId === operationId);
    const sorted = (each: AccessRow | undefined) => ({ ...each, scopes: each?.scopes.toSorted() });
    expect(sorted(row)).toEqual(sorted(rowOf(spec)));
  });
});

interface Specified {
  area: string;
  paths: RegExp;
  reads: [Scope[], AccessRow['person']];
  writes: [Scope[], AccessRow['person']];
  /** Routes that ask for something with a body, and change nothing. */
  asking?: string[];
}

/** Permissions that the specification names, and the roles of the design that have them. */
const SPECIFIED: Specified[] = [
  {
    ...{ area: 'Knowledge', paths: /^\/v1\/projects\/:projectId\/knowledge(?:\/|$)/, asking: ['recallKnowledge'] },
    ...{ reads: [['workspace:read'], 'viewer'], writes: [['workspace:write'], 'editor'] },
  },
  {
    ...{ area: 'Datasets', paths: /^\/v1\/projects\/:projectId\/datasets(?:\/|$)/ },
    ...{ reads: [['workspace:read'], 'viewer'], writes: [['models:manage'], 'editor'] },
  },
  {
    ...{ area: 'Model trials', paths: /^\/v1\/projects\/:projectId\/models\/.*\/trials$/ },
    ...{ reads: [[], null], writes: [['gateway:invoke', 'project:data:write'], 'editor'] },
  },
  {
    ...{ area: 'Model Runtime', paths: /^\/v1\/projects\/:projectId\/models(?!.*\/trials$)(?:\/|$)/ },
    ...{ reads: [['workspace:read'], 'viewer'], writes: [['models:manage'], 'admin'] },
  },
  {
    ...{
      area: 'Findings',
      paths: /^\/v1\/projects\/:projectId\/(?:diagnostics|webhooks)(?:\/|$)/,
      asking: ['checkExpectation'],
    },
    ...{ reads: [['diagnostics:read'], 'viewer'], writes: [['diagnostics:write'], 'editor'] },
  },
];

describe('the permissions of the specification', () => {
  it.each(SPECIFIED)('are those of the table: $area', ({ paths, reads, writes, asking = [] }) => {
    const ofArea = rows.filter(({ path }) => paths.test(path));
    expect(ofArea.length).toBeGreaterThan(0);
    for (const { operationId, method, scopes, person } of ofArea) {
      const isRead = method === 'GET' || asking.includes(operationId);
      expect([operationId, scopes, person]).toEqual([operationId, ...(isRead ? reads : writes)]);
    }
  });

  it('leave nothing else that a viewer changes, or that is open to everybody', () => {
    const changing = rows.filter(({ method, person }) => method !== 'GET' && person === 'viewer');
    expect(changing.map(({ operationId }) => operationId)).toEqual(['checkExpectation', 'recallKnowledge']);
    const open = rows.filter(({ isOpen }) => isOpen).map(({ operationId }) => operationId);
    expect(open.toSorted()).toEqual([
      ...['acceptInvitation', 'finishOidc', 'getDeviceToken', 'getOpenInvitation', 'getOpenReset', 'getSignInMethods'],
      ...['receiveProviderWebhook', 'setUp', 'signIn', 'signOut', 'startDevice', 'startOidc', 'useReset'],
    ]);
  });
});

it('a route without an access rule is none: the types refuse it', () => {
  const place = { operationId: 'x', service: 'gateway', method: 'get', path: '/v1/x', tag: 'x', summary: 'x' } as const;
  // @ts-expect-error -- a route says who may call it
  const undeclared = defineRoute({ ...place, responses: { 204: null } });
  // @ts-expect-error -- persons and programs are named apart
  const half = defineRoute({ ...place, responses: { 204: null }, access: { kind: 'caller', scopes: [] } });
  expect([undeclared, half]).toHaveLength(2);
});
