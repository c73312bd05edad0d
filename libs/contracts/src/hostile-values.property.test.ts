import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { allRoutes } from './all-routes.ts';
import { hostileParameters, hostileValues } from './test-support/hostile-values.ts';

type Values = typeof hostileValues;

/** A careless check was found in five routes by 100 values for each schema; the long tier tries more. */
const RUNS = process.env['CLEW_HOSTILE_TEXTS'] === 'all' ? 1_000 : 100;

const routes = allRoutes();

/** Schemas that validate input from callers. */
const schemas = routes.flatMap(({ operationId, params, query, body, ownBody = {} }) => [
  ...named(operationId, { params, query }, hostileParameters),
  ...named(operationId, { body, ...ownBody }, hostileValues),
]);

function named(operationId: string, parts: Readonly<Record<string, unknown>>, values: Values) {
  return Object.entries(parts).flatMap(([part, schema]) =>
    schema instanceof z.ZodType ? [[`${operationId}: ${part}`, schema, values] as const] : [],
  );
}

describe('whatever is sent', () => {
  it.each(schemas)('%s is accepted or refused with reasons, and never throws', (_name, schema, values) => {
    fc.assert(
      fc.property(values(schema), (value) => {
        const { success, error } = schema.safeParse(value);
        if (!success) expect(error.issues.every(({ message }) => message !== '')).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it('is given to schemas of every kind of route', () => {
    const kinds = new Set(routes.map(({ access }) => access.kind));
    expect(kinds).toEqual(new Set(['caller', 'internal', 'public']));
    expect(schemas.length).toBeGreaterThan(routes.length);
  });
});
