import { describe, expect, it } from '@jest/globals';
import { createLineSink, createProgress } from './progress.ts';

function recorder() {
  const lines: string[] = [];
  const progress = createProgress(createLineSink((line) => lines.push(line), { colored: false }));
  return { progress, shown: () => lines.map((line) => line.replaceAll(/\d+\.\d s/g, 'T')) };
}

describe('the progress of a start', () => {
  it('shows one line for each thing that is going on, with the time it took', async () => {
    const { progress, shown } = recorder();
    await progress.step('MongoDB', async (step) => {
      step.note('fetching mongod');
      step.summary('6.0.5 on 127.0.0.1:21017');
    });
    expect(shown()).toEqual([
      expect.stringMatching(/T · MongoDB {7}fetching mongod$/),
      expect.stringMatching(/T ✓ MongoDB {7}6\.0\.5 on 127\.0\.0\.1:21017 \(T\)$/),
    ]);
  });

  it('marks what had nothing to do, and what failed', async () => {
    const { progress, shown } = recorder();
    await progress.step('keys', async (step) => step.skip('those of the first start'));
    const failing = progress.step('apps', () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(shown()[0]).toContain('- keys');
    expect(shown()[1]).toContain('✗ apps');
  });
});
