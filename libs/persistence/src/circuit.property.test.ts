import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { afterTimeout, passageOf, TIMEOUTS_TO_OPEN, tried, type Circuit } from './circuit.ts';

const MINUTE_MS = 60_000;
const step = fc.record({
  kind: fc.constantFrom('time-out' as const, 'answer' as const, 'look' as const),
  afterMs: fc.integer({ min: 0, max: 20 * MINUTE_MS }),
});

function timeouts(count: number, nowMs: number, from?: Circuit): Circuit | undefined {
  return Array.from({ length: count }).reduce<Circuit | undefined>((circuit) => afterTimeout(circuit, nowMs), from);
}

describe('a circuit', () => {
  it('opens after so many time-outs in a row, and not before', () => {
    expect(passageOf(timeouts(TIMEOUTS_TO_OPEN - 1, 0), 0)).toEqual({ kind: 'all' });
    expect(passageOf(timeouts(TIMEOUTS_TO_OPEN, 0), 0)).toEqual({ kind: 'none', untilMs: MINUTE_MS });
  });

  it('is opened for no longer by calls that were begun before', () => {
    const open = timeouts(TIMEOUTS_TO_OPEN, 0);
    expect(timeouts(20, 1_000, open)).toEqual(open);
  });

  it('lets one call through, and is open for longer where that one fails too, up to a quarter of an hour', () => {
    let circuit = timeouts(TIMEOUTS_TO_OPEN, 0)!;
    let nowMs = MINUTE_MS;
    const openForMs: number[] = [];
    for (let time = 0; time < 6; time += 1) {
      expect(passageOf(circuit, nowMs)).toEqual({ kind: 'one' });
      circuit = tried(circuit, nowMs);
      expect(passageOf(circuit, nowMs)).toMatchObject({ kind: 'none' });
      circuit = afterTimeout(circuit, nowMs);
      openForMs.push(circuit.openUntil! - nowMs);
      nowMs = circuit.openUntil!;
    }
    expect(openForMs.map((openMs) => openMs / MINUTE_MS)).toEqual([2, 4, 8, 15, 15, 15]);
  });

  it('never stays open for more than a quarter of an hour without a try, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let nowMs = 0;
        let circuit: Circuit | undefined;
        for (const { kind, afterMs } of steps) {
          nowMs += afterMs;
          if (kind === 'time-out') circuit = afterTimeout(circuit, nowMs);
          else if (kind === 'answer') circuit = undefined;
          else if (circuit !== undefined && passageOf(circuit, nowMs).kind === 'one') circuit = tried(circuit, nowMs);
          const passage = passageOf(circuit, nowMs);
          if (passage.kind === 'none') expect(passage.untilMs - nowMs).toBeLessThanOrEqual(15 * MINUTE_MS);
        }
      }),
    );
  });
});
