import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { publicRoutes } from '../all-routes.ts';
import { listFindings } from './findings.ts';

const scoreOf = (minDiagnosticScore: string) => listFindings.query.safeParse({ minDiagnosticScore });

it('every route of Findings answers a wrong query with INVALID_FILTER', () => {
  const routes = publicRoutes().filter(({ path }) => path.startsWith('/v1/projects/:projectId/diagnostics/'));
  expect(routes.length).toBeGreaterThan(3);
  expect(routes.filter(({ invalidQueryCode }) => invalidQueryCode !== 'INVALID_FILTER')).toEqual([]);
});

describe('minDiagnosticScore', () => {
  it('is whatever JSON says is a number, from 0 to 1', () => {
    const number = fc.double({ min: 0, max: 1, noNaN: true });
    const written = fc.oneof(
      number.map(String),
      number.map((value) => value.toExponential()),
      number.map((value) => value.toFixed(20)),
    );
    fc.assert(
      fc.property(written, (text) => {
        expect(scoreOf(text)).toMatchObject({
          success: true,
          data: { minDiagnosticScore: JSON.parse(text) as number },
        });
      }),
    );
  });

  it('is nothing else', () => {
    const characters = fc.string({ unit: fc.constantFrom(...'01.5eE+-x _Ia'), maxLength: 6 });
    fc.assert(
      fc.property(characters, (text) => {
        const value = numberOf(text);
        expect(scoreOf(text).success).toBe(value !== undefined && value >= 0 && value <= 1);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(['0', '1', '-0', '1.0', '0.50', '1e-05', '1E-5', '5e-1', '0.000e+9', '1e-999', `0.${'3'.repeat(50)}`])(
    'may be %s',
    (text) => {
      expect(scoreOf(text)).toMatchObject({ success: true, data: { minDiagnosticScore: Number(text) } });
    },
  );

  it.each([
    '',
    ' ',
    '.5',
    '1.',
    '01',
    '+1',
    '0x1',
    '0b1',
    'Infinity',
    'NaN',
    '1e',
    '1,0',
    '1_0',
    '-1e-5',
    '1.01',
    '1e400',
  ])('may not be %j', (text) => {
    expect(scoreOf(text).error?.issues).toMatchObject([
      { path: ['minDiagnosticScore'], message: 'must be a number from 0 to 1' },
    ]);
  });
});

/** Parses a number as JSON writes it, without surrounding white space. */
function numberOf(text: string): number | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'number' && text.trim() === text ? value : undefined;
  } catch {
    return undefined;
  }
}
