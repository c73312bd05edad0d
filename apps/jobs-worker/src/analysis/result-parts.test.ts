import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { resultParts, type RunResult } from './result-parts.ts';

/** A run whose result has so many bytes more than an empty one. */
function runOf(id: number, bytes: number): RunResult {
  return { runId: `run_${id}`, ruleId: 'rule_a', outcome: { status: 'failed', reason: 'x'.repeat(bytes) } };
}

function bytesOf(runs: readonly RunResult[]): number {
  return runs.reduce((sum, run) => sum + Buffer.byteLength(JSON.stringify(run)), 0);
}

const runIds = (parts: RunResult[][]) => parts.map((part) => part.map(({ runId }) => runId));

describe('the parts of a result', () => {
  it('are one message where everything is small', () => {
    expect(runIds(resultParts([runOf(1, 10), runOf(2, 10)]))).toEqual([['run_1', 'run_2']]);
  });

  it('hold every run once, in order, within their size unless one run alone is larger', () => {
    const sizes = fc.array(fc.nat({ max: 900 }), { maxLength: 30 });
    fc.assert(
      fc.property(sizes, (given) => {
        const runs = given.map((bytes, index) => runOf(index, bytes));
        const parts = resultParts(runs, { maxPartBytes: 500 });
        expect(parts.flat()).toEqual(runs);
        for (const part of parts) if (part.length !== 1) expect(bytesOf(part)).toBeLessThanOrEqual(500);
      }),
    );
  });

  it('tell of a run that no message can hold that it failed, and keep the others', () => {
    const parts = resultParts([runOf(1, 10), runOf(2, 2_000), runOf(3, 10)], { maxPartBytes: 500, maxRunBytes: 1_000 });
    expect(runIds(parts)).toEqual([['run_1', 'run_2', 'run_3']]);
    expect(parts[0]?.[1]?.outcome).toEqual({ status: 'failed', reason: 'The result is too large' });
  });
});
