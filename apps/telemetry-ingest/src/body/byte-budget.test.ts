import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AppError } from '@clew/kernel';
import { createByteBudget, type RequestBytes } from './byte-budget.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

const steps = fc.array(
  fc.record({
    request: fc.nat(5),
    project: fc.constantFrom('prj_one', 'prj_two'),
    action: fc.constantFrom('open', 'setBody', 'setMessages', 'release'),
    bytes: fc.nat(5 * MIB),
    orphanedBytes: fc.nat(MIB),
  }),
  { maxLength: 60 },
);

it('requests never hold more than the budget, whatever they do, and nothing once they are released', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      let orphanedBytes = 0;
      const budget = createByteBudget({ maxBytes: 16 * MIB, orphanedBytes: () => orphanedBytes });
      const open = new Map<number, RequestBytes>();
      for (const step of taken) {
        const before = budget.usedBytes - 2 * orphanedBytes;
        orphanedBytes = step.orphanedBytes;
        try {
          if (step.action === 'open' && !open.has(step.request)) open.set(step.request, budget.open(step.project));
          else if (step.action === 'setBody') open.get(step.request)?.setBody(step.bytes);
          else if (step.action === 'setMessages') open.get(step.request)?.setMessages(step.bytes);
          else if (step.action === 'release') open.get(step.request)?.release();
        } catch (error) {
          expect(['OVERLOADED', 'RATE_LIMITED']).toContain((error as AppError).code);
          expect(error).toMatchObject({ headers: { 'retry-after': '1' } });
          expect(budget.usedBytes - 2 * orphanedBytes).toBe(before);
        }
        // Orphaned bytes come without a request; the bytes that requests hold stay under the limit.
        expect(budget.usedBytes - 2 * orphanedBytes).toBeLessThanOrEqual(16 * MIB);
      }
      open.forEach((held) => held.release());
      expect(budget.usedBytes).toBe(2 * orphanedBytes);
    }),
  );
});

it('room to publish what was received is kept with a body', () => {
  const budget = createByteBudget({ maxBytes: 8 * MIB, orphanedBytes: () => 0 });
  const held = budget.open('prj_one');
  held.setBody(2 * MIB);
  expect(() => budget.open('prj_one').setBody(MIB)).toThrow('The project has too much data under way');
  held.setMessages(MIB);
  expect(budget.usedBytes).toBeLessThanOrEqual(8 * MIB);
});

it('requests of one project that hold all they can leave another room for bodies', () => {
  const budget = createByteBudget({ maxBytes: 48 * MIB, orphanedBytes: () => 0 });
  const idle = () => {
    for (;;) budget.open('prj_greedy');
  };
  expect(idle).toThrow('The project has too much data under way');
  budget.open('prj_other').setBody(4 * MIB);
  expect(budget.usedBytes).toBeGreaterThan(36 * MIB);
});

it('what the broker never answered leaves less room', () => {
  const budget = createByteBudget({ maxBytes: MIB, orphanedBytes: () => MIB });
  expect(() => budget.open('prj_one')).toThrow('Too much data is under way');
});
