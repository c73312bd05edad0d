import { describe, expect, it } from '@jest/globals';
import { runAppScript } from './app-script.ts';

describe('a script of an app', () => {
  const { env } = process;

  it('runs without a build where the command line does', async () => {
    expect(await runAppScript('gateway', 'bootstrap', { args: ['--help'], env })).toBe(0);
  });

  it('that is called wrongly ends with 2', async () => {
    expect(await runAppScript('gateway', 'bootstrap', { args: ['--output', 'yaml'], env })).toBe(2);
  });
});
