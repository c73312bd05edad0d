import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Split, SplitRatio } from '@clew/contracts';
import { createWords } from '@clew/similarity/test-support';
import { exampleSignature, type ExampleTraits } from '../examples/index.ts';
import { SplitGroups } from './split-groups.ts';

const RATIO: SplitRatio = [80, 10, 10];

describe('splits', () => {
  it('never part Examples of one conversation, of one derivationKey, or near duplicates, and obey the strictest tag', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sketch(), { maxLength: 40 }), async (sketches) => {
        const traits = sketches.map(toTraits);
        const groups = await groupsOf(traits);
        for (const members of naiveGroups(sketches)) {
          const splits = new Set(members.map((index) => groups.splitOf(traits[index]!.id, RATIO)));
          expect(splits.size).toBe(1);
          const tags = members.flatMap((index) => traits[index]!.split ?? []);
          const strictest = (['test', 'validation', 'train'] as const).find((split) => tags.includes(split));
          if (strictest !== undefined) expect(splits).toEqual(new Set([strictest]));
          expect(groups.splitOf(traits[members[0]!]!.id)).toBe(strictest);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('are the same for other ids and another order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sketch(), { maxLength: 30 }), async (sketches) => {
        const traits = sketches.map(toTraits);
        const elsewhere = traits.map((each) => ({ ...each, id: `other-${each.id}` })).toReversed();
        const [here, there] = [await groupsOf(traits), await groupsOf(elsewhere)];
        for (const { id } of traits) expect(there.splitOf(`other-${id}`, RATIO)).toBe(here.splitOf(id, RATIO));
      }),
      { numRuns: 100 },
    );
  });

  it('keep to the ratio within two percent over many groups, of one Example or of several', async () => {
    const traits = Array.from({ length: 12_000 }, (_, index) => single(index, { conversationId: `c${index % 9_000}` }));
    const groups = await groupsOf(traits);
    const share = (wanted: Split) => traits.filter(({ id }) => groups.splitOf(id, RATIO) === wanted).length / 12_000;
    expect(Math.abs(share('train') - 0.8)).toBeLessThan(0.02);
    expect(Math.abs(share('validation') - 0.1)).toBeLessThan(0.02);
    expect(share('train') + share('validation') + share('test')).toBeCloseTo(1);
  });

  it('leave an Example where it is when others come that belong to other groups', async () => {
    const traits = Array.from({ length: 600 }, (_, index) => single(index));
    const [before, after] = [await groupsOf(traits.slice(0, 300)), await groupsOf(traits)];
    for (const { id } of traits.slice(0, 300)) expect(after.splitOf(id, RATIO)).toBe(before.splitOf(id, RATIO));
  });

  it('a share of zero is empty, and one of a hundred holds all', async () => {
    const traits = Array.from({ length: 500 }, (_, index) => single(index));
    const groups = await groupsOf(traits);
    expect(traits.every(({ id }) => groups.splitOf(id, [0, 0, 100]) === 'test')).toBe(true);
    expect(traits.every(({ id }) => groups.splitOf(id, [100, 0, 0]) === 'train')).toBe(true);
  });

  it('an Example that is not in the version is in no split', async () => {
    expect((await groupsOf([single(1)])).splitOf('ex_unknown', RATIO)).toBeUndefined();
  });
});

interface Sketch {
  text: number;
  conversation: number | undefined;
  key: number | undefined;
  split: Split | undefined;
}

function sketch(): fc.Arbitrary<Sketch> {
  return fc.record({
    text: fc.nat(25),
    conversation: fc.option(fc.nat(12), { nil: undefined, freq: 2 }),
    key: fc.option(fc.nat(12), { nil: undefined, freq: 2 }),
    split: fc.option(fc.constantFrom<Split>('train', 'validation', 'test'), { nil: undefined, freq: 5 }),
  });
}

const texts = Array.from({ length: 13 }, (_, seed) => createWords(seed).text(60));

/** Builds traits in which two texts of each thirteen are near duplicates. */
function toTraits({ text, conversation, key, split }: Sketch, index: number): ExampleTraits {
  const original = texts[text % 13] as string;
  const said = text < 13 ? original : original.toUpperCase().replace(/ \S+$/, ' END');
  return {
    id: `ex_${index}`,
    signature: exampleSignature({ input: { type: 'text', text: said } }),
    ...(conversation === undefined ? {} : { conversationId: `same-name-${conversation}` }),
    ...(key === undefined ? {} : { derivationKey: `same-name-${key}` }),
    ...(split === undefined ? {} : { split }),
  };
}

function naiveGroups(sketches: readonly Sketch[]): number[][] {
  const groups = sketches.map((_, index) => [index]);
  const belong = (a: Sketch, b: Sketch) =>
    a.text % 13 === b.text % 13 ||
    (a.conversation !== undefined && a.conversation === b.conversation) ||
    (a.key !== undefined && a.key === b.key);
  for (let left = 0; left < sketches.length; left += 1) {
    for (let right = 0; right < left; right += 1) {
      if (groups[left] === groups[right] || !belong(sketches[left]!, sketches[right]!)) continue;
      const joined = [...groups[left]!, ...groups[right]!];
      for (const member of joined) groups[member] = joined;
    }
  }
  return [...new Set(groups)];
}

function single(index: number, extra: Partial<ExampleTraits> = {}): ExampleTraits {
  const text = createWords(index + 1_000).text(8);
  return { id: `ex_${index}`, signature: exampleSignature({ input: { type: 'text', text } }), ...extra };
}

function groupsOf(traits: readonly ExampleTraits[]): Promise<SplitGroups> {
  async function* pages() {
    for (let start = 0; start < traits.length; start += 7) yield traits.slice(start, start + 7);
  }
  return SplitGroups.of(pages(), traits.length);
}
