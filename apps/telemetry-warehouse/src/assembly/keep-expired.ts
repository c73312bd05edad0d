import type { SnapshotMessage } from '@clew/contracts';
import { ownHashOf } from '@clew/conversation';

/**
 * Joins newly assembled messages with those of the latest snapshot whose spans have lost their content to retention:
 * messages that the system has already seen do not vanish from a conversation that goes on. Messages in both, at the
 * end of the earlier and the beginning of the new sequence, appear once. Messages are compared by their hashes, since
 * the earlier ones may have lost their words.
 */
export function keepExpired(
  earlier: readonly SnapshotMessage[],
  told: readonly SnapshotMessage[],
  isExpired: (message: SnapshotMessage) => boolean,
): SnapshotMessage[] {
  const { start, length } = overlapOf(earlier.map(ownHashOf), told.map(ownHashOf));
  const joined = [
    ...earlier.slice(0, start).filter(isExpired),
    ...told.map((message, index) => {
      const same = index < length ? earlier[start + index] : undefined;
      return same !== undefined && isExpired(same) ? same : message;
    }),
    ...earlier.slice(start + length).filter(isExpired),
  ];
  return joined.map((message, index) => ({ ...message, index }));
}

interface Overlap {
  /** Start index in the earlier sequence. */
  start: number;
  length: number;
}

/**
 * Finds the whole new sequence within the earlier one, else the longest end of the earlier one with which the new one
 * begins (Knuth, Morris and Pratt: linear in both).
 */
function overlapOf(earlier: readonly string[], told: readonly string[]): Overlap {
  const borders = bordersOf(told);
  let matched = 0;
  for (const [index, identity] of earlier.entries()) {
    while (matched > 0 && told[matched] !== identity) matched = borders[matched - 1] ?? 0;
    if (told[matched] === identity) matched += 1;
    if (matched === told.length) return { start: index + 1 - matched, length: matched };
  }
  return { start: earlier.length - matched, length: matched };
}

/** For each prefix of a sequence, the length of the longest shorter prefix that it also ends with. */
function bordersOf(sequence: readonly string[]): number[] {
  const borders: number[] = [];
  let length = 0;
  for (const [index, item] of sequence.entries()) {
    if (index > 0) {
      while (length > 0 && sequence[length] !== item) length = borders[length - 1] ?? 0;
      if (sequence[length] === item) length += 1;
    }
    borders.push(length);
  }
  return borders;
}
