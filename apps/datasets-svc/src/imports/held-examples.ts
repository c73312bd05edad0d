import { NearDuplicateIndex, NumberList } from '@clew/similarity';
import type { DatasetKey, ExampleTraitsStore } from '../examples/index.ts';

/** Near duplicate of an imported line: an Example of the Dataset, or an earlier line. */
export type Resemblance = { similarity: number } & ({ exampleId: string } | { otherLine: number });

interface HoldOptions {
  maxLength?: number;
  isWanted?(): boolean;
}

/** Maximum Examples and lines held for comparison, which take some 70 MB; of a larger Dataset, the newest are held. */
const MAX_HELD_EXAMPLES = 350_000;

/** Examples of the Dataset and earlier lines, with which each line of an import is compared. */
export class HeldExamples {
  readonly #index: NearDuplicateIndex;
  /** Ids of the Examples, which stand before all lines in the index. */
  readonly #ids = new IdList();
  readonly #lines = new NumberList();
  #isComplete = true;

  constructor(maxLength = MAX_HELD_EXAMPLES) {
    this.#index = new NearDuplicateIndex(maxLength);
  }

  /** Loads the newest Examples of a Dataset, as long as `isWanted` is true. */
  static async of(
    traits: ExampleTraitsStore,
    key: DatasetKey,
    { maxLength = MAX_HELD_EXAMPLES, isWanted = () => true }: HoldOptions = {},
  ): Promise<HeldExamples> {
    const held = new HeldExamples(maxLength);
    for await (const page of traits.newest(key, maxLength + 1)) {
      if (!isWanted()) break;
      for (const { id, signature } of page) held.#add(id, signature);
    }
    return held;
  }

  /** Whether everything to compare with is held. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Compares a line with all that is held, and adds it. */
  compare(line: number, signature: Uint8Array): Resemblance | undefined {
    if (this.#index.isFull) this.#isComplete = false;
    else this.#lines.push(line);
    const nearest = this.#index.addAndFind(signature);
    if (nearest === undefined) return undefined;
    const { number } = nearest;
    const similarity = Math.round(nearest.similarity * 1000) / 1000;
    return number < this.#ids.length
      ? { exampleId: this.#ids.at(number), similarity }
      : { otherLine: this.#lines.at(number - this.#ids.length), similarity };
  }

  #add(exampleId: string, signature: Uint8Array): void {
    if (this.#index.add(signature)) this.#ids.push(exampleId);
    else this.#isComplete = false;
  }
}

const ID_BYTES = 32;
const CHUNK_LENGTH = 16_384;

/** Ids packed into byte blocks: a third of the memory of strings. */
class IdList {
  readonly #chunks: Buffer[] = [];
  length = 0;

  push(id: string): void {
    const chunk = (this.#chunks[Math.floor(this.length / CHUNK_LENGTH)] ??= Buffer.alloc(CHUNK_LENGTH * ID_BYTES));
    const start = (this.length % CHUNK_LENGTH) * ID_BYTES;
    chunk[start] = chunk.write(id, start + 1, ID_BYTES - 1, 'latin1');
    this.length += 1;
  }

  at(index: number): string {
    const chunk = this.#chunks[Math.floor(index / CHUNK_LENGTH)];
    const start = (index % CHUNK_LENGTH) * ID_BYTES;
    return chunk?.toString('latin1', start + 1, start + 1 + (chunk[start] ?? 0)) ?? '';
  }
}
