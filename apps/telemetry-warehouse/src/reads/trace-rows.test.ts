import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FragmentHead, SpanFact } from '../fragments/index.ts';
import { nextRows } from './trace-rows.ts';

const fact = fc.record({
  spanId: fc.integer({ min: 0, max: 40 }).map((index) => index.toString(16).padStart(16, '0')),
  digest: fc.constantFrom('a', 'b'),
});

function headOf(spans: readonly Pick<SpanFact, 'spanId' | 'digest'>[], index: number): FragmentHead {
  const whole = spans.map((span) => ({ name: '', kind: 0, start: '1', end: '2', statusCode: 0, length: 1, ...span }));
  return {
    ...{ _id: String(index), traceId: 't', length: 1, receivedAt: new Date(0) },
    facts: { spans: whole.map((span) => ({ ...span, work: 'other' as const })), logs: [] },
  };
}

async function* walk(heads: readonly FragmentHead[]): AsyncGenerator<FragmentHead> {
  yield* heads;
}

it('walked page by page, a trace shows each span once, in its better version, whichever fragments hold it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fact), { maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      async (parts, limit) => {
        const heads = parts.map(headOf);
        const better = new Map<string, string>();
        for (const { spanId, digest } of parts.flat()) {
          const known = better.get(spanId);
          if (known === undefined || digest < known) better.set(spanId, digest);
        }
        const seen: [string, string][] = [];
        let after: string | undefined;
        do {
          const { rows, spanCount } = await nextRows(walk(heads), { after, limit });
          expect(spanCount).toBe(better.size);
          const page = rows.slice(0, limit);
          seen.push(...page.map(({ spanId, digest }): [string, string] => [spanId, digest]));
          after = rows.length > limit ? page.at(-1)?.spanId : undefined;
        } while (after !== undefined);
        expect(seen).toEqual([...better].sort(([left], [right]) => (left < right ? -1 : 1)));
      },
    ),
  );
});
