import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createByteBudget, type RequestBytes } from './byte-budget.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

const steps = fc.array(
  fc.record({
    request: fc.nat(5),
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
          if (step.action === 'open' && !open.has(step.request)) open.set(step.request, budget.open());
          else if (step.action === 'setBody') open.get(step.request)?.setBody(step.bytes);
          else if (step.action === 'setMessages') open.get(step.request)?.setMessages(step.bytes);
          else if (step.action === 'release') open.get(step.request)?.release();
        } catch (error) {
          expect(error).toMatchObject({ code: 'OVERLOADED', headers: { 'retry-after': '1' } });
          expect(budget.usedBytes - 2 * orphanedBytes).toBe(before);
        }
        // What is orphaned comes by itself; what requests hold besides stays under the limit.
        expect(budget.usedBytes - 2 * orphanedBytes).toBeLessThanOrEqual(16 * MIB);
      }
      open.forEach((held) => held.release());
      expect(budget.usedBytes).toBe(2 * orphanedBytes);
    }),
  );
});

it('room to publish what was received is kept with a body', () => {
  const budget = createByteBudget({ maxBytes: 8 * MIB, orphanedBytes: () => 0 });
  const held = budget.open();
  held.setBody(4 * MIB);
  expect(() => budget.open().setBody(MIB)).toThrow('Too much data is under way');
  held.setMessages(MIB);
  expect(budget.usedBytes).toBeLessThanOrEqual(8 * MIB);
});

it('what the broker never answered leaves less room', () => {
  const budget = createByteBudget({ maxBytes: MIB, orphanedBytes: () => MIB });
  expect(() => budget.open()).toThrow('Too much data is under way');
});
