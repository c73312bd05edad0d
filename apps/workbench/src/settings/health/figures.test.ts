import { expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { figuresText, healthLines } from './figures.ts';

it('says figures in words, and nothing where there are none', () => {
  expect(figuresText({ backlog: 0, oldestAgeMs: 0, givenUp: 0 })).toBe('Nothing waits');
  expect(figuresText({ backlog: 12, oldestAgeMs: 65_000, givenUp: 3 })).toBe(
    '12 wait, the first for 1 min 5 s, 3 given up',
  );
  expect(figuresText({})).toBe('');
});

it('shows the share of a project to those who are not told the figures of all', () => {
  const ok = { status: 'ok' as const, reason: null };
  const signals: Api.HealthSignals = {
    evidenceVisibility: { ...ok, share: { backlog: 4, oldestAgeMs: 10, givenUp: 0 } },
    diagnosticExecution: { ...ok, backlog: 2 },
    queueProcessing: { ...ok, queues: [] },
    repairStatusSync: { status: 'not_mounted', reason: null },
    dataRetention: { telemetry: ok, rawPayload: ok, maintenance: { ...ok, lastRunAt: 5 } },
  };
  const lines = healthLines(signals);
  expect(lines[0]?.figures.backlog).toBe(4);
  expect(lines[1]?.figures.backlog).toBe(2);
  expect(lines.at(-1)?.lastRunAt).toBe(5);
});
