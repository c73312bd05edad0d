import { describe, expect, it } from '@jest/globals';
import { CommandError, run } from './run.ts';

const node = (script: string, options?: Parameters<typeof run>[2]) => run(process.execPath, ['-e', script], options);

describe('running a command', () => {
  it('gives what it printed, and each line as it comes', async () => {
    const lines: string[] = [];
    const result = await node("console.log('a'); console.error('b')", { onLine: (line) => lines.push(line) });
    expect(result.stdout).toBe('a');
    expect(lines.toSorted()).toEqual(['a', 'b']);
  });

  it('throws with the output when it fails', async () => {
    const failure = await node("console.error('no such table'); process.exit(3)").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CommandError);
    expect(failure).toMatchObject({ ending: 'ended with exit code 3', output: 'no such table' });
  });

  it('ends it after the time that it may take', async () => {
    await expect(node('setInterval(() => {}, 1000)', { timeoutMs: 200 })).rejects.toThrow('no result within 0.2 s');
  });

  it('ends it when it stays silent, but not while it reports', async () => {
    const reporting = 'let n = 0; setInterval(() => { console.log(n); if (++n === 10) process.exit(0) }, 400)';
    await expect(node(reporting, { silenceTimeoutMs: 3_000 })).resolves.toBeDefined();
    await expect(node('setInterval(() => {}, 1000)', { silenceTimeoutMs: 200 })).rejects.toThrow('said nothing');
  });

  it('ends it when it is called off', async () => {
    const calledOff = new AbortController();
    const running = node("console.log('up'); setInterval(() => {}, 1000)", {
      signal: calledOff.signal,
      onLine: () => calledOff.abort(),
    });
    await expect(running).rejects.toThrow('was interrupted');
  });

  it('says so when there is no such program', async () => {
    await expect(run('no-such-program', [])).rejects.toThrow('ENOENT');
  });
});
