import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const SCRIPT = join(import.meta.dirname, 'test-support', 'stoppable-process.ts');

interface Ending {
  code: number | null;
  /** Output on standard error. */
  told: string;
  log: string;
}

/** Runs a scenario to its end, sending signals once it is ready. */
async function run(scenario: string, signals: readonly NodeJS.Signals[] = []): Promise<Ending> {
  const child = spawn(process.execPath, ['--conditions=clew-source', SCRIPT, scenario], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const ending: Ending = { code: null, told: '', log: '' };
  child.stdout.on('data', (chunk: Buffer) => (ending.log += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    ending.told += chunk.toString();
    if (chunk.includes('ready')) for (const signal of signals) child.kill(signal);
  });
  [ending.code] = (await once(child, 'close')) as [number | null];
  return ending;
}

describe('runUntilSignal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'stops each part after the one before on %s, and ends with 0',
    async (signal) => {
      const { code, told, log } = await run('orderly', [signal]);
      expect(told).toBe('ready\nserver stopped\ndatabase stopped\n');
      expect(code).toBe(0);
      expect(log).toContain('a line before it ends');
      expect(log).toContain('"msg":"stopped"');
    },
  );

  it('stops those of a list together, and only then what they stand on', async () => {
    const { code, told } = await run('together', ['SIGTERM']);
    const lines = told.trimEnd().split('\n');
    expect([code, lines[0], lines.slice(1, 3).toSorted(), lines.slice(3)]).toEqual([
      ...[0, 'ready'],
      ...[['consumer stopped', 'loop stopped'], ['database stopped']],
    ]);
  });

  it('stops once, however many signals come', async () => {
    expect((await run('orderly', ['SIGTERM', 'SIGTERM', 'SIGINT'])).told).toBe(
      'ready\nserver stopped\ndatabase stopped\n',
    );
  });

  it('stops the rest when a part cannot, and ends with 1', async () => {
    const { code, told, log } = await run('failing', ['SIGTERM']);
    expect([code, told]).toEqual([1, 'ready\ndatabase stopped\n']);
    expect(log).toContain('cannot');
  });

  it('ends with 1 when the grace time is over', async () => {
    const { code, log } = await run('stuck', ['SIGTERM']);
    expect(code).toBe(1);
    expect(log).toContain('did not stop in time');
  });

  it.each(['throwing', 'rejecting'])(
    'ends with 1 on an error that nobody caught (%s), having told it',
    async (scenario) => {
      const { code, log } = await run(scenario);
      expect(code).toBe(1);
      expect(log).toContain('nobody catches this');
    },
  );
});

describe('startService', () => {
  it('tells what an operator can mend without a stack', async () => {
    const { code, told } = await run('misconfigured');
    expect([code, told]).toEqual([1, 'The configuration is not valid:\n  - PORT: must be a number\n']);
  });

  it('tells in one line what is wrong with what it was given', async () => {
    const { code, told } = await run('misused');
    expect([code, told]).toEqual([1, 'The key cannot be read\n']);
  });

  it('tells any other failure with its stack', async () => {
    const { code, told } = await run('broken');
    expect(code).toBe(1);
    expect(told).toMatch(/cannot start\n\s+at /);
  });
});
