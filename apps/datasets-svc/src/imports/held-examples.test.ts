import { describe, expect, it } from '@jest/globals';
import { signatureOfTexts } from '@clew/similarity';
import type { ExampleTraits, ExampleTraitsStore } from '../examples/index.ts';
import { HeldExamples } from './held-examples.ts';

const key = { projectId: 'prj_1', datasetId: 'ds_1' };
const sign = (text: string) =>
  signatureOfTexts(
    (add) => add(text),
    () => text,
  );
const first = sign('where is the parcel that was sent a week ago');
const second = sign('please change the password of my account today');
const third = sign('the invoice of last month names a wrong address');

/** Traits store with these Examples as the newest of a Dataset. */
function traitsOf(...examples: ExampleTraits[]): ExampleTraitsStore {
  return {
    async *newest(_key, limit) {
      yield examples.slice(0, limit);
    },
    pages: () => {
      throw new Error('Not asked for');
    },
  };
}

const held = [
  { id: 'ex_1', signature: first },
  { id: 'ex_2', signature: second },
];

describe('a line of an import', () => {
  it('resembles an Example that the Dataset holds', async () => {
    const examples = await HeldExamples.of(traitsOf(...held), key);
    expect(examples.compare(1, third)).toBeUndefined();
    expect(examples.compare(2, second)).toEqual({ exampleId: 'ex_2', similarity: 1 });
    expect(examples.isComplete).toBe(true);
  });

  it('resembles the line before it that is alike, however many Examples are held', async () => {
    const examples = await HeldExamples.of(traitsOf(...held), key);
    expect(examples.compare(70_000, third)).toBeUndefined();
    expect(examples.compare(70_005, third)).toEqual({ otherLine: 70_000, similarity: 1 });
    const none = new HeldExamples();
    expect(none.compare(1, first)).toBeUndefined();
    expect(none.compare(2, first)).toEqual({ otherLine: 1, similarity: 1 });
  });

  it('is compared with what there was room for, and the import says that this is not all', async () => {
    const examples = await HeldExamples.of(traitsOf(...held), key, { maxLength: 2 });
    expect(examples.isComplete).toBe(true);
    expect(examples.compare(1, third)).toBeUndefined();
    expect(examples.isComplete).toBe(false);
    expect(examples.compare(2, third)).toBeUndefined();
    expect(examples.compare(3, first)).toEqual({ exampleId: 'ex_1', similarity: 1 });
  });
});
