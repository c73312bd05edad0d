import { describe, expect, it } from '@jest/globals';
import { PERMISSIONS, ROLES, SCOPES, type Principal, type RouteSpec } from '@clew/contracts';
import { allRoutes, publicRoutes } from '@clew/contracts/all-routes';
import { newId } from '@clew/kernel';
import { readAccessTable, type AccessRow } from '@clew/testing/access';
import { keyWith, userWith } from '@clew/testing/identities';
import { HARMLESS_QUERY, outcomeOf, type Outcome } from './support/access-outcomes.ts';
import { DESIGNED_PERMISSIONS, IDENTITY, identityOf, identityOfService, urlOf } from './support/identities.ts';
import { pathFor } from './support/path-parameters.ts';

const ROWS = new Map(readAccessTable().map((row) => [row.operationId, row]));
const PROJECT = newId('prj');
const OTHER = newId('prj');

async function ask(spec: RouteSpec, token: string | undefined): Promise<Outcome | string> {
  const url = new URL(`${pathFor(spec, PROJECT)}${HARMLESS_QUERY}`, urlOf(spec.service));
  const headers = token === undefined ? {} : { [IDENTITY]: token };
  const response = await fetch(url, { method: spec.method.toUpperCase(), headers });
  return outcomeOf(spec, response.status, await response.text());
}

/** Callers of a route, each with the outcome that docs/access.md promises for them. */
function callersOf({ scopes, person }: AccessRow): [name: string, principal: Principal, outcome: Outcome][] {
  const others = SCOPES.filter((scope) => !scopes.includes(scope));
  const ranks = [...ROLES, 'owner'] as const;
  // A program's route asks people for a permission, too, but the gateway takes no session for it.
  const people = ranks.flatMap((role, rank): [string, Principal, Outcome][] => {
    if (person === null || person === 'anybody') return [];
    const outcome = rank >= ranks.indexOf(person) ? 'let through' : 'forbidden';
    return [[`the role ${role}`, userWith(...DESIGNED_PERMISSIONS[role]), outcome]];
  });
  return [
    ['a key with no scope', keyWith(), 'forbidden'],
    ['a key with all other scopes', keyWith(...others), 'forbidden'],
    ['a key with all scopes', keyWith(...SCOPES), 'let through'],
    ...scopes.map((scope): [string, Principal, Outcome] => [`a key with ${scope}`, keyWith(scope), 'let through']),
    ['a person without a permission', userWith(), 'forbidden'],
    ...people,
  ];
}

const proxied = publicRoutes().filter(({ service, access }) => service !== 'gateway' && access.kind === 'caller');

describe('a service lets through whom docs/access.md names, without trust in the gateway:', () => {
  it.each(proxied.map((spec) => [spec.operationId, spec] as const))('%s', async (operationId, spec) => {
    const row = ROWS.get(operationId);
    if (row === undefined) throw new Error(`docs/access.md does not say who calls ${operationId}`);
    const answers = await Promise.all(
      callersOf(row).map(async ([name, principal, outcome]) => ({
        expected: `${name}: ${outcome}`,
        shown: `${name}: ${await ask(spec, identityOf(spec.service, principal, PROJECT))}`,
      })),
    );
    expect(answers.map(({ shown }) => shown)).toEqual(answers.map(({ expected }) => expected));
    expect(await ask(spec, undefined)).toBe('unauthenticated');
    expect(await ask(spec, identityOfService(spec.service, 'jobs-worker', PROJECT))).toBe('missing');
    if (!spec.path.includes('/:projectId')) return;
    const foreign = [keyWith(...SCOPES), userWith(...PERMISSIONS)].map((principal) =>
      ask(spec, identityOf(spec.service, principal, OTHER)),
    );
    expect(await Promise.all(foreign)).toEqual(['missing', 'missing']);
  });
});

const internal = allRoutes().filter(({ access }) => access.kind === 'internal');

describe('a route for services does not exist for anybody else, not even for another service:', () => {
  it.each(internal.map((spec) => [spec.operationId, spec] as const))('%s', async (_operationId, spec) => {
    const { access, service } = spec;
    const callers = access.kind === 'internal' ? access.services : [];
    const strangers = (['jobs-worker', 'diagnostics-svc', 'telemetry-ingest'] as const).filter(
      (name) => !callers.includes(name),
    );
    const tokens = [
      ...[keyWith(...SCOPES), userWith(...PERMISSIONS)].map((principal) => identityOf(service, principal, PROJECT)),
      ...strangers.map((name) => identityOfService(service, name, PROJECT)),
    ];
    const outcomes = await Promise.all(tokens.map((token) => ask(spec, token)));
    expect(outcomes).toEqual(tokens.map(() => 'missing'));
    expect(await ask(spec, undefined)).toBe('unauthenticated');
  });
});
