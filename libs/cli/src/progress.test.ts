import { describe, expect, it } from '@jest/globals';
import { progressOn } from './progress.ts';
import { fakeIo, NOW_MS } from './test-support/fake-io.ts';

function progressAt(isTerminal: boolean) {
  const clock = { ms: NOW_MS };
  const io = { ...fakeIo({ isTerminal }), now: () => clock.ms };
  return { clock, io, progress: progressOn(io) };
}

const MB = 1_000_000;

describe('progress of steps', () => {
  it('is a line each, and the line of bytes makes way for it', () => {
    const { clock, io, progress } = progressAt(true);
    progress.step('engine', 'queued');
    progress.bytes({ done: 0, total: 10, label: 'model' });
    progress.step('engine', 'queued');
    progress.step('engine', 'installing');
    clock.ms += 1_000;
    progress.bytes({ done: 9, total: 10, label: 'model' });
    progress.step('download', 'completed');
    progress.end();
    expect(io.screen()).toEqual(['engine: queued', 'engine: installing', 'download: completed', '']);
  });
});

describe('progress of bytes', () => {
  it('that goes to a file is a line each 10 %, with total, rate and the time that remains', () => {
    const { clock, io, progress } = progressAt(false);
    for (let done = 0; done <= 100; done += 1) {
      progress.bytes({ done: done * MB, total: 100 * MB, label: 'file' });
      clock.ms += 1_000;
    }
    progress.end();
    const lines = io.err().split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'file   10 %  10.0 MB of 100 MB  1.0 MB/s  1 min 30 s left',
      'file   20 %  20.0 MB of 100 MB  1.0 MB/s  1 min 20 s left',
    ]);
    expect(lines).toHaveLength(11);
  });

  it('that is slow is a line each 30 s', () => {
    const { clock, io, progress } = progressAt(false);
    for (let done = 0; done < 90; done += 1) {
      progress.bytes({ done, total: 100 * MB, label: 'file' });
      clock.ms += 1_000;
    }
    expect(io.err().trim().split('\n')).toHaveLength(2);
  });

  it('on a terminal is one line that is drawn again, not more often than people can see', () => {
    const { clock, io, progress } = progressAt(true);
    for (let done = 0; done < 1_000; done += 1) {
      progress.bytes({ done: done * MB, total: null, label: 'a very long name '.repeat(20) });
      clock.ms += 1;
    }
    progress.end();
    expect(io.err().split('\r')).toHaveLength(11);
    for (const line of io.err().split('\r\u001b[K')) expect(line.trimEnd().length).toBeLessThan(100);
    expect(io.err().split('\n')).toHaveLength(2);
  });
});
