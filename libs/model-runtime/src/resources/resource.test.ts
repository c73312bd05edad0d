import { describe, expect, it } from '@jest/globals';
import { failedAttempt, incarnate, isCurrent } from './resource.ts';

const PROBLEM = { code: 'X', message: 'x' };
const wanted = { id: 'node-1/engine/vllm', node: 'node-1', kind: 'engine', spec: {}, wantedBy: 'prj_a' } as const;

describe('the pause after failures in a row', () => {
  it('doubles from 10 s, and is never more than 300 s', () => {
    const pauseAfter = (failures: number) =>
      failedAttempt({ failureCount: failures - 1, desired: 'present' }, PROBLEM, 'backoff', 0).nextAttemptAt;
    expect([1, 2, 3, 4, 5, 6, 7, 1_000].map(pauseAfter)).toEqual(
      [10, 20, 40, 80, 160, 300, 300, 300].map((seconds) => seconds * 1_000),
    );
  });
});

describe('an incarnation', () => {
  it('begins with nothing of the one before but who holds it', () => {
    const first = { ...incarnate(wanted, undefined, 1, 1_000), holderCount: 3, failureCount: 5, log: ['old'] };
    const second = incarnate(wanted, first, 2, 2_000);
    expect(second).toMatchObject({ generation: 2, holderCount: 3, failureCount: 0, log: [], state: 'queued' });
  });

  it('serves whoever comes while it is there or on its way, but not once it has failed', () => {
    const resource = incarnate(wanted, undefined, 1, 0);
    expect(isCurrent(resource)).toBe(true);
    expect(isCurrent({ ...resource, state: 'ready' })).toBe(true);
    expect(isCurrent({ ...resource, state: 'failed', nextAttemptAt: 5 })).toBe(false);
    expect(isCurrent({ ...resource, desired: 'absent', state: 'removing' })).toBe(false);
  });
});

describe('a failed attempt', () => {
  it('is tried again after its pause where that may help, and otherwise left for somebody to look at', () => {
    const present = { failureCount: 1, desired: 'present' } as const;
    expect(failedAttempt(present, PROBLEM, 'backoff', 1_000)).toMatchObject({
      ...{ state: 'failed', settled: false, failureCount: 2, nextAttemptAt: 21_000, error: PROBLEM },
    });
    expect(failedAttempt(present, PROBLEM, 'never', 1_000)).toMatchObject({ settled: true, nextAttemptAt: null });
  });

  it('to remove something leaves it being removed', () => {
    const absent = { failureCount: 0, desired: 'absent' } as const;
    expect(failedAttempt(absent, PROBLEM, 'backoff', 0)).toMatchObject({ state: 'removing', settled: false });
  });
});
