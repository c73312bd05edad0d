import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Api } from '@clew/sdk';
import {
  bytesOf,
  bytesText,
  costText,
  exactBytesText,
  lastDays,
  limitOf,
  thisMonth,
  totalCosts,
  usedOf,
} from './figures.ts';

const NOW = Date.UTC(2026, 10, 3, 23, 59);
const row = (group: string, rest: Partial<Api.UsageRow> = {}): Api.UsageRow => ({
  ...{ group, calls: 1, failedCalls: 0, inputTokens: 10, outputTokens: 5, unpricedTokens: 0, costs: [] },
  ...{ ingestedBytes: 100, ingestedRecords: 2, storedBytes: null },
  ...rest,
});

it('counts days in UTC, today among them', () => {
  expect(lastDays(7, NOW)).toEqual({ fromDay: '2026-10-28', toDay: '2026-11-03' });
  expect(thisMonth(NOW)).toEqual({ fromDay: '2026-11-01', toDay: '2026-11-03' });
});

it('finds what of each quota is used', () => {
  const rows = [row('2026-11-01', { storedBytes: 7 }), row('2026-11-03')];
  expect(usedOf(rows, NOW)).toEqual({
    ...{ ingestedBytesPerDay: 100, ingestedRecordsPerDay: 2, inferenceTokensPerDay: 15 },
    ...{ inferenceTokensPerMonth: 30, storedBytes: 7 },
  });
  expect(usedOf([row('2026-11-01')], NOW).inferenceTokensPerDay).toBe(0);
});

describe('bytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_500, '1.5 kB'],
    [12_500_000, '12.5 MB'],
    [999_999, '1 MB'],
  ])('%d are %s', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });

  it('are read with their unit', () => {
    expect(bytesOf('500 MB')).toBe(500_000_000);
    expect(bytesOf('1.5gb')).toBe(1_500_000_000);
    expect(bytesOf('12')).toBe(12);
    expect(bytesOf('many')).toBeUndefined();
    expect(bytesOf('999999999999999 TB')).toBeUndefined();
  });

  it('are the same after they were shown in a form', () => {
    expect([0, 20_000_000, 1_234_567, 1_500].map(exactBytesText)).toEqual(['0 B', '20 MB', '1234.567 kB', '1.5 kB']);
    fc.assert(fc.property(fc.nat(2_000_000_000), (bytes) => bytesOf(exactBytesText(bytes)) === bytes));
  });

  it('never show a thousand of a smaller unit', () => {
    fc.assert(fc.property(fc.nat(2_000_000_000), (bytes) => !bytesText(bytes).startsWith('1000 ')));
  });
});

it('reads limits, of which nothing is none', () => {
  expect(limitOf('', 'tokens')).toBeNull();
  expect(limitOf('1,000,000', 'tokens')).toBe(1_000_000);
  expect(limitOf('-1', 'records')).toBeUndefined();
  expect(limitOf('2 GB', 'bytes')).toBe(2_000_000_000);
});

it('adds costs by currency', () => {
  const usd = (amount: string) => ({ currency: 'USD', amount });
  const rows = [
    row('a', { costs: [usd('1.25')] }),
    row('b', { costs: [usd('0.5'), { currency: 'EUR', amount: '2' }] }),
  ];
  expect(costText(totalCosts(rows))).toBe('1.75 USD + 2.00 EUR');
  expect(costText([usd('0.0004')])).toBe('<0.01 USD');
  expect(costText([])).toBe('–');
});
