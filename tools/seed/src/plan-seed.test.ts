import { describe, expect, it } from '@jest/globals';
import { planSeed } from './plan-seed.ts';
import { readSamples } from './read-samples.ts';

const samples = readSamples();
const noon = Date.parse('2026-11-21T12:00:00Z');
const HOUR_MS = 3_600_000;

describe('planSeed', () => {
  it('every conversation begins within the last six hours and has ended', () => {
    for (const { script, startMs } of planSeed(samples, noon)) {
      const durationMs = script.messages.reduce((sum, message) => sum + (message.afterMs ?? 0), 0);
      expect(startMs).toBeGreaterThanOrEqual(noon - 6 * HOUR_MS);
      expect(startMs + durationMs).toBeLessThan(noon);
    }
  });

  it('the same day gives the same ids, another day others', () => {
    const ids = (nowMs: number): string[] =>
      planSeed(samples, nowMs).map(({ script, idSeed, dialect }) => `${script.conversationId} ${idSeed} ${dialect}`);
    expect(ids(noon + 5 * HOUR_MS)).toEqual(ids(noon));
    expect(new Set([...ids(noon), ...ids(noon + 24 * HOUR_MS)]).size).toBe(2 * samples.length);
  });

  it('most conversations are in OpenTelemetry GenAI, and every dialect occurs', () => {
    const dialects = planSeed(samples, noon).map(({ dialect }) => dialect);
    expect(new Set(dialects)).toEqual(new Set(['genai', 'openinference', 'traceloop', 'langfuse', 'vercel']));
    expect(dialects.filter((dialect) => dialect === 'genai').length).toBeGreaterThan(samples.length / 2);
  });

  it('what the samples say about themselves is not sent', () => {
    for (const { script } of planSeed(samples, noon)) {
      expect(script).not.toHaveProperty('expectedFindings');
      expect(script).not.toHaveProperty('title');
      expect(script).not.toHaveProperty('teaches');
    }
  });
});
