import type { Api } from '@clew/sdk';

const DAY_MS = 86_400_000;

export type QuotaName = keyof Api.Quotas;

interface QuotaFacts {
  readonly label: string;
  readonly unit: 'bytes' | 'records' | 'tokens';
}

/** Things that can be limited. */
export const QUOTAS: Readonly<Record<QuotaName, QuotaFacts>> = {
  ingestedBytesPerDay: { label: 'Received a day', unit: 'bytes' },
  ingestedRecordsPerDay: { label: 'Records received a day', unit: 'records' },
  inferenceTokensPerDay: { label: 'Tokens of models a day', unit: 'tokens' },
  inferenceTokensPerMonth: { label: 'Tokens of models a month', unit: 'tokens' },
  storedBytes: { label: 'Stored', unit: 'bytes' },
};

export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/** The last days until today, in UTC as usage is counted. */
export function lastDays(days: number, nowMs: number): { fromDay: string; toDay: string } {
  return { fromDay: dayOf(nowMs - (days - 1) * DAY_MS), toDay: dayOf(nowMs) };
}

/** The days of this month until today. */
export function thisMonth(nowMs: number): { fromDay: string; toDay: string } {
  const today = dayOf(nowMs);
  return { fromDay: `${today.slice(0, 8)}01`, toDay: today };
}

export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Part of each quota that is used, from the rows by day of this month. */
export function usedOf(rows: readonly Api.UsageRow[], nowMs: number): Record<QuotaName, number> {
  const today = rows.find(({ group }) => group === dayOf(nowMs));
  const tokens = (row: Api.UsageRow | undefined) => (row === undefined ? 0 : row.inputTokens + row.outputTokens);
  return {
    ingestedBytesPerDay: today?.ingestedBytes ?? 0,
    ingestedRecordsPerDay: today?.ingestedRecords ?? 0,
    inferenceTokensPerDay: tokens(today),
    inferenceTokensPerMonth: rows.reduce((sum, row) => sum + tokens(row), 0),
    storedBytes: rows.findLast(({ storedBytes }) => storedBytes !== null)?.storedBytes ?? 0,
  };
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Number of bytes as people read it: `12.5 MB`. */
export function bytesText(bytes: number): string {
  let at = 0;
  let value = bytes;
  while (value >= 999.5 && at < UNITS.length - 1) {
    value /= 1_000;
    at += 1;
  }
  return `${at === 0 || value >= 99.5 ? Math.round(value) : Number(value.toFixed(1))} ${UNITS[at] ?? ''}`;
}

/** The same without rounding, in the largest unit that can say it: `20 GB`, `1234567 B`. */
export function exactBytesText(bytes: number): string {
  const at = UNITS.findLastIndex((_, power) => {
    const value = bytes / 1_000 ** power;
    return value >= 1 && Math.round(Number(value.toFixed(3)) * 1_000 ** power) === bytes;
  });
  return `${Number((bytes / 1_000 ** Math.max(0, at)).toFixed(3))} ${UNITS[Math.max(0, at)] ?? ''}`;
}

/** Number of bytes that somebody has typed, as `500 MB` or `1000000`; undefined if it is none. */
export function bytesOf(text: string): number | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,3})?) ?([kMGT]?B)?$/i.exec(text.trim());
  if (match === null) return undefined;
  const at = UNITS.findIndex((unit) => unit.toLowerCase() === (match[2] ?? 'B').toLowerCase());
  const bytes = Math.round(Number(match[1]) * 1_000 ** at);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Number that was typed for a quota: null for none, undefined if it cannot be read. */
export function limitOf(text: string, unit: QuotaFacts['unit']): number | null | undefined {
  if (text.trim() === '') return null;
  if (unit === 'bytes') return bytesOf(text);
  const digits = text.replaceAll(/[ ,_]/g, '');
  const number = Number(digits);
  return /^\d+$/.test(digits) && Number.isSafeInteger(number) ? number : undefined;
}

/** Costs by currency: `12.34 USD + 2.00 EUR`; what costs less than a cent is shown as such. */
export function costText(costs: readonly Api.UsageRow['costs'][number][]): string {
  if (costs.length === 0) return '–';
  return costs
    .map(({ currency, amount }) => {
      const value = Number(amount);
      return value > 0 && value < 0.01 ? `<0.01 ${currency}` : `${value.toFixed(2)} ${currency}`;
    })
    .join(' + ');
}

/** Sum of rows, of which costs are added by currency. */
export function totalCosts(rows: readonly Api.UsageRow[]): Api.UsageRow['costs'] {
  const sums = new Map<string, number>();
  for (const { currency, amount } of rows.flatMap(({ costs }) => costs)) {
    sums.set(currency, (sums.get(currency) ?? 0) + Number(amount));
  }
  return [...sums].map(([currency, amount]) => ({ currency, amount: String(amount) }));
}
