import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLaneChoice } from './lane-choice.ts';

const MUCH_BYTES = 1_000;
const DECAY_MS = 100;
const small = (maxProjects = 10) => createLaneChoice({ muchBytes: MUCH_BYTES, decayMs: DECAY_MS, maxProjects });

interface Sent {
  project: string;
  bytes: number;
  atMs: number;
}

/** Messages of three projects, in the order of their times. */
const traffic = fc
  .array(
    fc.record({
      project: fc.constantFrom('a', 'b', 'c'),
      bytes: fc.nat(1_500),
      afterMs: fc.oneof(fc.nat(20), fc.nat(500)),
    }),
    { maxLength: 60 },
  )
  .map((messages) => {
    let atMs = 0;
    return messages.map(({ project, bytes, afterMs }): Sent => ({ project, bytes, atMs: (atMs += afterMs) }));
  });

const lanesOf = (sent: readonly Sent[]) => {
  const laneOf = small();
  return sent.map(({ project, bytes, atMs }) => laneOf(project, bytes, atMs));
};

describe('the lane of a message', () => {
  it('is the bulk lane exactly when the decayed sum of its project is beyond the limit', () => {
    fc.assert(
      fc.property(traffic, (sent) => {
        lanesOf(sent).forEach((lane, last) => {
          const { project, atMs } = sent[last]!;
          const sum = sent
            .slice(0, last + 1)
            .filter((each) => each.project === project)
            .reduce((total, each) => total + each.bytes * Math.exp((each.atMs - atMs) / DECAY_MS), 0);
          // Sums computed in another order differ in their last digits.
          if (Math.abs(sum - MUCH_BYTES) > 1e-6) expect(lane).toBe(sum > MUCH_BYTES ? 'bulk' : undefined);
        });
      }),
    );
  });

  it('does not depend on what other projects send', () => {
    fc.assert(
      fc.property(traffic, (sent) => {
        const lanes = lanesOf(sent);
        const isOfA = ({ project }: Sent) => project === 'a';
        expect(lanesOf(sent.filter(isOfA))).toEqual(lanes.filter((_lane, index) => isOfA(sent[index]!)));
      }),
    );
  });

  it('is the usual one of a project that has not sent much altogether, whatever the clock does', () => {
    const messages = fc.array(fc.tuple(fc.nat(300), fc.integer()), { maxLength: 20 });
    fc.assert(
      fc.property(messages, (sent) => {
        const laneOf = small();
        let total = 0;
        for (const [bytes, nowMs] of sent) {
          total += bytes;
          if (total > MUCH_BYTES) return;
          expect(laneOf('a', bytes, nowMs)).toBeUndefined();
        }
      }),
    );
  });

  it('is the usual one again after a time without messages', () => {
    fc.assert(
      fc.property(traffic, fc.nat(MUCH_BYTES - 1), (sent, bytes) => {
        const laneOf = small();
        for (const each of sent) laneOf(each.project, each.bytes, each.atMs);
        const total = sent.reduce((sum, each) => sum + each.bytes, 1);
        const quietMs = DECAY_MS * Math.log(total);
        expect(laneOf('a', bytes, (sent.at(-1)?.atMs ?? 0) + quietMs)).toBeUndefined();
      }),
    );
  });

  it('is found by the projects that sent last; the others are forgotten', () => {
    const laneOf = small(2);
    for (const project of ['a', 'b', 'a', 'c']) laneOf(project, MUCH_BYTES, 0);
    expect(['a', 'c'].map((project) => laneOf(project, 1, 0))).toEqual(['bulk', 'bulk']);
    expect(laneOf('b', 1, 0)).toBeUndefined();
  });
});
