import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fileNameOf } from './file-name.ts';

describe('the name of an exported file', () => {
  it.each([
    [['Good bookings', 'v2', 'test'], 'Good-bookings-v2-test.csv'],
    [['../../etc/passwd', 'v1', undefined], 'etc-passwd-v1.csv'],
    [['Rückfragen: "Geld"', 'v1', undefined], 'Rückfragen-Geld-v1.csv'],
    [['返金', 'v1', undefined], '返金-v1.csv'],
    [['---', 'v1', undefined], 'v1.csv'],
  ])('of %j is %s', (parts, name) => {
    expect(fileNameOf(parts, 'csv')).toBe(name);
  });

  it('is one that any system takes, whatever the Dataset is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(fileNameOf([name, 'v1'], 'csv')).toMatch(/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}-]{0,110}\.csv$/u);
      }),
    );
  });
});
