import { expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { overallStatus, signalLines } from './signals.ts';

const ok = { status: 'ok' as const, reason: null };
const signals: Api.HealthSignals = {
  evidenceVisibility: ok,
  diagnosticExecution: { status: 'bad', reason: 'The oldest waits for 9 minutes' },
  queueProcessing: { ...ok, queues: [] },
  repairStatusSync: { status: 'not_mounted', reason: null },
  dataRetention: { telemetry: ok, rawPayload: { status: 'unknown', reason: null }, maintenance: ok },
};

it('tells each signal in a sentence, and none of a part that is not there', () => {
  const lines = signalLines(signals);
  expect(lines.map(({ name }) => name)).not.toContain('Work items');
  expect(lines.find(({ name }) => name === 'Diagnosis')?.text).toBe('The oldest waits for 9 minutes');
  expect(lines.find(({ name }) => name === 'Raw payloads')?.text).toBe('Nobody can tell at the moment.');
});

it('is as bad as its gravest signal', () => {
  const lines = signalLines(signals);
  expect(overallStatus(lines)).toBe('bad');
  expect(overallStatus(lines.filter(({ status }) => status !== 'bad'))).toBe('unknown');
  expect(overallStatus(lines.filter(({ status }) => status === 'ok'))).toBe('ok');
});
