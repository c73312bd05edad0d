import { setImmediate as nextTurn } from 'node:timers/promises';
import { SPLITS, type Split, type SplitRatio } from '@clew/contracts';
import { DisjointSets, joinNearDuplicates, mix32, NumberList, SignatureList } from '@clew/similarity';
import type { ExampleTraits } from '../examples/index.ts';
import { KeyTable } from './key-table.ts';
import { NO_SPLIT, splitNumber } from './split-number.ts';

const RANGE = 2 ** 32;
const SPLIT_SEED = 0x53504c54;

/**
 * Groups of Examples that belong together: those of one conversation, those of one derivationKey, and near duplicates.
 * A group has one split: the strictest that a tag of any of its Examples names, or else one drawn from the content of
 * its Examples. The draw does not depend on ids or order, so it is the same on any deployment, and stays the same as
 * the Dataset grows, unless a new Example joins two groups.
 */
export class SplitGroups {
  readonly #numbers: KeyTable;
  readonly #tagged: Uint8Array;
  readonly #draws: Int32Array;

  private constructor(numbers: KeyTable, tagged: Uint8Array, draws: Int32Array) {
    this.#numbers = numbers;
    this.#tagged = tagged;
    this.#draws = draws;
  }

  static async of(examples: AsyncIterable<readonly ExampleTraits[]>, expected: number): Promise<SplitGroups> {
    const collected = await collect(examples, expected);
    const sets = new DisjointSets(collected.signatures.length);
    for (let index = 0; index < collected.joins.length; index += 2) {
      sets.join(collected.joins.at(index), collected.joins.at(index + 1));
    }
    for (const _step of joinNearDuplicates(collected.signatures, sets)) await nextTurn();
    return new SplitGroups(collected.numbers, ...decide(collected, sets));
  }

  get length(): number {
    return this.#tagged.length;
  }

  /** Split of an Example. Without a ratio only tags decide, and a group without a tag is in no split. */
  splitOf(exampleId: string, ratio?: SplitRatio): Split | undefined {
    const number = this.#numbers.get(exampleId);
    if (number === undefined) return undefined;
    const tagged = this.#tagged[number] as number;
    if (tagged !== NO_SPLIT) return SPLITS[tagged - 1];
    if (ratio === undefined) return undefined;
    const percent = ((this.#draws[number] as number) >>> 0) / (RANGE / 100);
    if (percent < ratio[0]) return 'train';
    return percent < ratio[0] + ratio[1] ? 'validation' : 'test';
  }
}

interface Collected {
  numbers: KeyTable;
  signatures: SignatureList;
  tagged: NumberList;
  /** Pairs of numbers that share a conversation or a derivationKey. */
  joins: NumberList;
}

async function collect(examples: AsyncIterable<readonly ExampleTraits[]>, expected: number): Promise<Collected> {
  const numbers = new KeyTable(expected);
  const keys = new KeyTable();
  const signatures = new SignatureList();
  const tagged = new NumberList();
  const joins = new NumberList();
  const joinBy = (key: string, number: number) => {
    const first = keys.getOrSet(key, number);
    if (first === number) return;
    joins.push(first);
    joins.push(number);
  };
  for await (const page of examples) {
    for (const { id, signature, conversationId, derivationKey, split } of page) {
      const number = signatures.length;
      // A repeated Example counts once.
      if (numbers.getOrSet(id, number) !== number) continue;
      signatures.push(signature);
      tagged.push(splitNumber(split));
      if (conversationId !== undefined) joinBy(`c:${conversationId}`, number);
      if (derivationKey !== undefined) joinBy(`d:${derivationKey}`, number);
    }
  }
  return { numbers, signatures, tagged, joins };
}

/** Computes the split and the draw of each Example's group. */
function decide({ signatures, tagged }: Collected, sets: DisjointSets): [tagged: Uint8Array, draws: Int32Array] {
  const groupTags = new Uint8Array(signatures.length);
  const groupDraws = new Int32Array(signatures.length).fill(0x7fffffff);
  for (let number = 0; number < signatures.length; number += 1) {
    const group = sets.find(number);
    groupTags[group] = Math.max(groupTags[group] as number, tagged.at(number));
    groupDraws[group] = Math.min(groupDraws[group] as number, signatures.hash(number));
  }
  // Backwards, because a group is numbered by its smallest member: its entries are read before they are overwritten.
  for (let number = signatures.length - 1; number >= 0; number -= 1) {
    const group = sets.find(number);
    groupTags[number] = groupTags[group] as number;
    // Mixed again, because the smallest of many hashes is not evenly distributed.
    groupDraws[number] = mix32((groupDraws[group] as number) ^ SPLIT_SEED);
  }
  return [groupTags, groupDraws];
}
