import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@clew/testing';
import { createPartsHandler } from './command-parts.ts';

const COMMAND = { id: 'a.command:1' };

describe('a command of several parts', () => {
  /** Handles a command of a size that comes for the nth time, after deliveries that nobody answered. */
  async function handled(size: number, attempt: number, unansweredDeliveries = 0): Promise<string[]> {
    const done: string[] = [];
    const handle = createPartsHandler({
      sizeOf: () => size,
      split: async () => void done.push('split'),
      work: async () => void done.push('work'),
    });
    await handle(COMMAND, { attempt, unansweredDeliveries, logger: silentLogger() });
    return done;
  }

  it.each<[string, Parameters<typeof handled>, string]>([
    ['is worked on together at first', [3, 1], 'work'],
    ['is worked on together once more', [3, 2], 'work'],
    ['is split after it failed twice', [3, 3], 'split'],
    ['is split after a process ended with it', [3, 1, 1], 'split'],
    ['is never split where it has one part', [1, 9, 9], 'work'],
  ])('%s', async (_name, given, expected) => {
    expect(await handled(...given)).toEqual([expected]);
  });
});
