import { describe, expect, it } from '@jest/globals';
import type { AppError } from '@clew/kernel';
import type { AccessRule, Principal } from '@clew/contracts';
import { authorize } from './authorize.ts';

const PRINCIPALS = {
  'key with the scope': { kind: 'key', id: 'key_1', scopes: ['diagnostics:read', 'workspace:read'] },
  'key with another scope': { kind: 'key', id: 'key_1', scopes: ['telemetry:write'] },
  'key without scopes': { kind: 'key', id: 'key_1', scopes: [] },
  'person with the permission': { kind: 'user', id: 'usr_1', permissions: ['project:diagnostics:read'] },
  'person without it': { kind: 'user', id: 'usr_1', permissions: ['project:read'] },
  'named service': { kind: 'service', id: 'jobs-worker' },
  'other service': { kind: 'service', id: 'telemetry-ingest' },
} as const satisfies Record<string, Principal>;

const RULES = {
  public: { kind: 'public' },
  caller: {
    kind: 'caller',
    scopes: ['diagnostics:read', 'diagnostics:write'],
    permissions: ['project:diagnostics:read'],
  },
  internal: { kind: 'internal', services: ['jobs-worker', 'gateway'] },
  'nobody (no scope, no permission)': { kind: 'caller', scopes: [], permissions: [] },
} as const satisfies Record<string, AccessRule>;

type Outcome = 'allowed' | 401 | 403 | 404;
const EXPECTED: Record<keyof typeof RULES, Record<keyof typeof PRINCIPALS | 'nobody', Outcome>> = {
  public: {
    'key with the scope': 'allowed',
    'key with another scope': 'allowed',
    'key without scopes': 'allowed',
    'person with the permission': 'allowed',
    'person without it': 'allowed',
    'named service': 'allowed',
    'other service': 'allowed',
    nobody: 'allowed',
  },
  caller: {
    'key with the scope': 'allowed',
    'key with another scope': 403,
    'key without scopes': 403,
    'person with the permission': 'allowed',
    'person without it': 403,
    'named service': 404,
    'other service': 404,
    nobody: 401,
  },
  internal: {
    'key with the scope': 404,
    'key with another scope': 404,
    'key without scopes': 404,
    'person with the permission': 404,
    'person without it': 404,
    'named service': 'allowed',
    'other service': 404,
    nobody: 401,
  },
  'nobody (no scope, no permission)': {
    'key with the scope': 403,
    'key with another scope': 403,
    'key without scopes': 403,
    'person with the permission': 403,
    'person without it': 403,
    'named service': 404,
    'other service': 404,
    nobody: 401,
  },
};

function outcome(work: () => void): Outcome {
  try {
    work();
    return 'allowed';
  } catch (error) {
    return (error as AppError).status as Outcome;
  }
}

const CASES = (Object.keys(RULES) as (keyof typeof RULES)[]).flatMap((rule) =>
  Object.entries(EXPECTED[rule]).map(([who, expected]) => [rule, who, expected] as const),
);

describe('authorize', () => {
  it.each(CASES)('on a route for %s, %s: %s', (rule, who, expected) => {
    const principal: Principal | undefined = who === 'nobody' ? undefined : PRINCIPALS[who as keyof typeof PRINCIPALS];
    const caller = principal === undefined ? undefined : { principal, projectId: 'prj_a' };
    expect(outcome(() => authorize(RULES[rule], caller, 'prj_a'))).toBe(expected);
  });

  it.each(['key with the scope', 'key with another scope', 'person with the permission'] as const)(
    "answers a %s the same 404 for another project's route as for a missing thing",
    (who) => {
      const caller = { principal: PRINCIPALS[who], projectId: 'prj_a' };
      expect(outcome(() => authorize(RULES.caller, caller, 'prj_b'))).toBe(404);
      expect(outcome(() => authorize(RULES.caller, { principal: caller.principal }, 'prj_b'))).toBe(404);
    },
  );

  it('lets a caller of any project use a route without one', () => {
    const caller = { principal: PRINCIPALS['key with the scope'], projectId: 'prj_a' };
    expect(outcome(() => authorize(RULES.caller, caller, undefined))).toBe('allowed');
  });

  it('lets a service into every project on internal routes', () => {
    expect(outcome(() => authorize(RULES.internal, { principal: PRINCIPALS['named service'] }, 'prj_b'))).toBe(
      'allowed',
    );
  });

  it('names the scopes or permissions that would do', () => {
    const refused = (who: keyof typeof PRINCIPALS) => {
      try {
        authorize(RULES.caller, { principal: PRINCIPALS[who] }, undefined);
      } catch (error) {
        return error as AppError;
      }
      throw new Error('it was allowed');
    };
    expect(refused('key without scopes').message).toBe('The scope diagnostics:read or diagnostics:write is required');
    expect(refused('key without scopes').details).toEqual([
      { path: 'scope', message: 'diagnostics:read' },
      { path: 'scope', message: 'diagnostics:write' },
    ]);
    expect(refused('key without scopes').headers?.['www-authenticate']).toContain('insufficient_scope');
    expect(refused('person without it').message).toBe('The permission project:diagnostics:read is required');
    expect(refused('person without it').details).toEqual([{ path: 'permission', message: 'project:diagnostics:read' }]);
  });
});
