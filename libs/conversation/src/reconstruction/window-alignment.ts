import { tailOf, type ContextNode } from './context-tree.ts';
import type { Said } from './message-table.ts';

/** Match of the end of a known context in the messages of a call. */
export interface WindowMatch {
  /** End of the known context. */
  node: ContextNode;
  /** Range of the call's messages that match its end: `start` inclusive, `end` exclusive. */
  start: number;
  end: number;
  /** Node of the message at `start`. */
  first: ContextNode;
}

/**
 * Finds the known context whose end is repeated in the messages, for histories whose beginning was cut off (a sliding
 * window) or replaced (compaction). The longest match counts; one without a model's answer proves nothing, because
 * users repeat themselves.
 */
export function findWindow(candidates: readonly ContextNode[], body: readonly Said[]): WindowMatch | undefined {
  let best: WindowMatch | undefined;
  for (const node of candidates) {
    const tail = tailOf(node, body.length);
    const { length, end } = longestSuffix(tail, body);
    if (length === 0 || (best !== undefined && length <= best.end - best.start)) continue;
    const block = tail.slice(0, length);
    const first = block.at(-1);
    if (first === undefined || !block.some((item) => item.entry?.message.role === 'assistant')) continue;
    best = { node, start: end - length, end, first };
  }
  return best;
}

/**
 * Finds the longest suffix of the context that occurs in the body, and its end there; of equal ones, the first. Both
 * are reversed, so that the suffix becomes a prefix and the Z function finds it in linear time.
 */
function longestSuffix(tail: readonly ContextNode[], body: readonly Said[]): { length: number; end: number } {
  const pattern = tail.map((node) => node.entry?.symbol ?? -1);
  const text = body.map(({ symbol }) => symbol).reverse();
  const common = prefixLengths([...pattern, -2, ...text]);
  let length = 0;
  let end = 0;
  for (let position = 0; position < text.length; position += 1) {
    const found = common[pattern.length + 1 + position] ?? 0;
    if (found === 0 || found < length) continue;
    length = found;
    end = body.length - position;
  }
  return { length, end };
}

/** Z function: for each position, the length for which the sequence from there agrees with its beginning. */
function prefixLengths(sequence: readonly number[]): Int32Array {
  const lengths = new Int32Array(sequence.length);
  let left = 0;
  let right = 0;
  for (let index = 1; index < sequence.length; index += 1) {
    let length = index < right ? Math.min(right - index, lengths[index - left] ?? 0) : 0;
    while (index + length < sequence.length && sequence[length] === sequence[index + length]) length += 1;
    lengths[index] = length;
    if (index + length > right) [left, right] = [index, index + length];
  }
  return lengths;
}
