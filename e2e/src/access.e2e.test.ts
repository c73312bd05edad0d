import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES, type RouteSpec } from '@clew/contracts';
import { publicRoutes } from '@clew/contracts/all-routes';
import { newId } from '@clew/kernel';
import { readAccessTable, type AccessRow } from '@clew/testing/access';
import { makeCallers, type AccessCaller } from './support/access-callers.ts';
import {
  expectedOutcome,
  HARMLESS_QUERY,
  namesProject,
  outcomeOf,
  WHERE,
  type Where,
} from './support/access-outcomes.ts';
import { pathFor } from './support/path-parameters.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject } from './support/test-project.ts';

const ROWS = new Map(readAccessTable().map((row) => [row.operationId, row]));
/** Requests at a time: the gateway and a service share the machine with them. */
const AT_ONCE = 12;
/** Time to make the callers: people have passwords, whose hashes take long on a busy machine. */
const CALLERS_TIMEOUT_MS = 180_000;

let callers: AccessCaller[];
let projects: Record<Where, string>;
let requests = 0;

beforeAll(async () => {
  const [own, foreign] = [await createTestProject('own'), await createTestProject('foreign')];
  projects = { own: own.id, foreign: foreign.id, missing: newId('prj') };
  callers = await makeCallers(own.id, [...ROWS.values()]);
}, CALLERS_TIMEOUT_MS);

afterAll(() => {
  process.stdout.write(`${JSON.stringify({ routes: ROWS.size, callers: callers.length, requests })}\n`);
});

interface Cell {
  caller: AccessCaller;
  where: Where;
}

async function ask(spec: RouteSpec, { caller, where }: Cell) {
  requests += 1;
  const url = new URL(`${pathFor(spec, projects[where])}${HARMLESS_QUERY}`, runningStack().gatewayUrl);
  const response = await fetch(url, {
    method: spec.method.toUpperCase(),
    headers: {
      ...caller.headers,
      ...(url.pathname.startsWith('/v1/projects/') ? {} : { 'x-clew-project': projects[where] }),
    },
  });
  const text = await response.text();
  return { outcome: outcomeOf(spec, response.status, text), body: text.replace(/req_\w+/, '') };
}

/**
 * Cells of a route; of the keys that lack some scopes, those count that lack what the route needs. The requests of one
 * caller are far apart: few of them may be under way at a time.
 */
function cellsOf(row: AccessRow): Cell[] {
  const concerned = callers.filter((caller) => concerns(row, caller));
  return (namesProject(row) ? WHERE : (['own'] as const)).flatMap((where) =>
    concerned.map((caller) => ({ caller, where })),
  );
}

function concerns({ scopes }: AccessRow, { behind }: AccessCaller): boolean {
  if (behind.kind !== 'key' || behind.scopes.length < 2 || behind.scopes.length === SCOPES.length) return true;
  return !behind.scopes.some((scope) => scopes.includes(scope));
}

async function inTurn<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  }
  return results;
}

describe('the gateway and the services let through whom docs/access.md names, and nobody else:', () => {
  it.each(publicRoutes().map((spec) => [spec.operationId, spec] as const))('%s', async (operationId, spec) => {
    const row = ROWS.get(operationId);
    if (row === undefined) throw new Error(`docs/access.md does not say who calls ${operationId}`);
    const cells = cellsOf(row);
    const answers = await inTurn(cells, (cell) => ask(spec, cell));
    const shown = (outcomes: readonly string[]) =>
      cells.map(({ caller, where }, at) => `${caller.name}, ${where} project: ${outcomes[at]}`);
    expect(shown(answers.map(({ outcome }) => outcome))).toEqual(
      shown(cells.map(({ caller, where }) => expectedOutcome(row, caller.behind, where))),
    );
    const missing = answers.filter(({ outcome }) => outcome === 'missing');
    // One answer for foreign and missing projects: nobody learns which there are.
    expect(new Set(missing.map(({ body }) => body)).size).toBeLessThanOrEqual(1);
  });
});
