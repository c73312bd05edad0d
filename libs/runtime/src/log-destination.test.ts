import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';

const SCRIPT = join(import.meta.dirname, 'test-support', 'logging-process.ts');

function start(ending: string, count: number) {
  const args = ['--conditions=clew-source', SCRIPT, ending, String(count)];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { child, lines: createInterface({ input: child.stdout }) };
}

const numberOf = (line: string) => (JSON.parse(line) as { number: number }).number;
const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

describe('the log of a process', () => {
  it.each([
    ['runs out', 0],
    ['runs out', 5_000],
    ['exits', 1],
    ['throws', 1],
    ['flushes', 1],
    ['flushes', 5_000],
  ])('that %s has every line, once and in order, of %d', async (ending, count) => {
    const { child, lines } = start(ending, count);
    const numbers: number[] = [];
    lines.on('line', (line) => numbers.push(numberOf(line)));
    await once(child, 'close');
    expect(numbers).toEqual(upTo(count));
  });

  it('has what is fatal, and all before it, however suddenly the process ends then', async () => {
    const { child, lines } = start('fatal', 20);
    const numbers: number[] = [];
    lines.on('line', (line) => numbers.push(numberOf(line)));
    await once(child, 'close');
    expect(numbers).toEqual(upTo(21));
  });

  it('shows a line soon, also where no other follows', async () => {
    const { child, lines } = start('goes on', 1);
    const [line] = (await once(lines, 'line')) as [string];
    expect([numberOf(line), child.exitCode]).toEqual([0, null]);
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  });
});
