import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_FAILURES } from '@clew/persistence';
import { afterFailure, afterRead, afterReady, asked, ended, type Ready, type Extraction } from './extraction.ts';
import { withRead } from './ledger.ts';

const TARGET = { projectId: 'p', goalId: 'g', goalRevision: 1 };
const readyAt = (revision: number): Ready => ({
  ...{
    conversationId: 'c',
    snapshotId: `s${revision}`,
    messagesHash: `m${revision}`,
    revision,
    lastActivityAt: revision,
  },
});
const by = (nowMs: number, backfillId: string | null = null) => ({ backfillId, requestId: null, nowMs });
const entry = (number: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(number);
  return bytes.toString('base64');
};

describe('the ledger of what was read', () => {
  it('holds each message once, whatever is read again, in any grouping', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(50), { maxLength: 5 }), { maxLength: 10 }), (parts) => {
        const join = (numbers: readonly number[]) =>
          Buffer.concat(numbers.map((number) => Buffer.from(entry(number), 'base64'))).toString('base64');
        const ledger = parts.reduce((read, part) => withRead(read, join(part)), '');
        expect(ledger).toBe(join([...new Set(parts.flat())]));
      }),
    );
  });
});

describe('a extraction', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('ready' as const),
      revision: fc.integer({ min: 1, max: 4 }),
      backfill: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('ask' as const) }),
    fc.record({ kind: fc.constant('read' as const), isComplete: fc.boolean() }),
    fc.record({ kind: fc.constant('fail' as const) }),
  );

  it('ends with the newest snapshot read, or failed, whatever comes in which order; nothing is asked for twice', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let extraction = afterReady(undefined, TARGET, readyAt(1), by(1)) as Extraction;
        let hasFailed = false;
        const apply = (next: (typeof steps)[number], nowMs: number) => {
          if (next.kind === 'ready') {
            const before = extraction;
            extraction =
              afterReady(extraction, TARGET, readyAt(next.revision), by(nowMs, next.backfill ? 'b' : null)) ??
              extraction;
            expect(extraction.snapshotRevision).toBe(Math.max(before.snapshotRevision, next.revision));
            // An extraction that a worker has in hand is not requested a second time.
            if (before.state === 'asked') expect(extraction.state).toBe('asked');
            if (before.state === 'idle' && before.readHash === extraction.messagesHash)
              expect(extraction.state).toBe('idle');
          } else if (next.kind === 'ask' && extraction.state === 'due') {
            const { rounds } = extraction;
            extraction = asked(extraction, nowMs + 1_000);
            expect(extraction.rounds).toBe(rounds + 1);
          } else if (extraction.state === 'asked') {
            if (next.kind === 'read') {
              extraction = afterRead(extraction, entry(extraction.rounds), next.isComplete, nowMs);
              hasFailed = false;
            }
            if (next.kind === 'fail') {
              const again = afterFailure(extraction, { retryAfterMs: null, isBudget: false }, nowMs);
              hasFailed = again === undefined;
              extraction = again ?? ended(extraction);
            }
          }
          expect(extraction.failures).toBeLessThanOrEqual(MAX_FAILURES);
          expect(extraction.dueAt === null).toBe(extraction.state === 'idle');
        };
        steps.forEach((next, index) => apply(next, index + 2));
        for (let round = 0; extraction.state !== 'idle'; round += 1) {
          expect(round).toBeLessThan(10);
          if (extraction.state === 'due') extraction = asked(extraction, 1_000);
          extraction = afterRead(extraction, entry(extraction.rounds), true, 100);
          hasFailed = false;
        }
        if (!hasFailed) expect(extraction.readHash).toBe(`m${extraction.snapshotRevision}`);
        expect(extraction.backfillIds).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
