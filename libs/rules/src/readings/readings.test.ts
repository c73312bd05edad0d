import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { BUILT_IN_RULES } from '../built-in-rules.ts';

/** Occurrence that somebody read in its whole conversation. */
interface Reading {
  readonly id: string;
  readonly domain: string;
  readonly rule: string;
  readonly signal: string;
  readonly verdict: 'real' | 'minor' | 'noise';
  readonly reason: string;
  /** 2 for the second reader, who wrote no Rule and saw neither severity nor outcome. */
  readonly reader?: 2;
}

const MIN_READINGS = 20;
const MIN_DOMAINS = 3;
const MIN_PRECISION = 0.8;
/** Precision below which a signal is low. */
const LOW_PRECISION = 0.5;
/** Signals that are grave without readings: a person's verdict, and a leak whose damage does not depend on context. */
const GRAVE_BY_NATURE = new Set(['negative_score.negative_user_feedback', 'sensitive_data_in_output.secret_in_output']);

const readings = JSON.parse(readFileSync(join(import.meta.dirname, 'readings.json'), 'utf8')) as readonly Reading[];
const bySignal = Map.groupBy(readings, ({ rule, signal }) => `${rule}.${signal}`);
const signals = BUILT_IN_RULES.flatMap(({ ruleKey, signals: own }) =>
  own.map((signal) => ({ key: `${ruleKey}.${signal.name}`, severity: signal.defaultSeverity })),
);

function precisionOf(read: readonly Reading[]): number {
  return read.filter(({ verdict }) => verdict === 'real').length / read.length;
}

it('a signal is grave by default only if enough of its occurrences were read and are real problems', () => {
  const grave = signals.filter(({ key, severity }) => /high|critical/.test(severity) && !GRAVE_BY_NATURE.has(key));
  for (const { key } of grave) {
    const read = bySignal.get(key) ?? [];
    expect([key, read.length >= MIN_READINGS]).toEqual([key, true]);
    expect([key, new Set(read.map(({ domain }) => domain)).size >= MIN_DOMAINS]).toEqual([key, true]);
    expect([key, precisionOf(read) >= MIN_PRECISION]).toEqual([key, true]);
  }
});

it('a signal most of whose read occurrences are no real problem is low by default', () => {
  for (const { key, severity } of signals) {
    const read = bySignal.get(key) ?? [];
    if (read.length < MIN_READINGS || precisionOf(read) >= LOW_PRECISION) continue;
    expect([key, severity]).toEqual([key, expect.stringMatching(/^(?:low|info)$/)]);
  }
});

it('each reading is of a signal that there is, of one occurrence, and gives a reason', () => {
  const known = new Set(signals.map(({ key }) => key));
  for (const { rule, signal, reason } of readings) {
    expect(known).toContain(`${rule}.${signal}`);
    expect(reason.length).toBeGreaterThan(10);
  }
  const places = readings.map(({ id, rule, signal, reader = 1 }) => `${id} ${rule} ${signal} ${reader}`);
  expect(new Set(places).size).toBe(places.length);
});
