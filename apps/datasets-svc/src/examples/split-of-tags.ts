import type { Split } from '@clew/contracts';

const TAG_PREFIX = 'split:';
/** Precedence if tags name several splits: test data must never be used for training. */
const BY_PRECEDENCE: readonly Split[] = ['test', 'validation', 'train'];

/** Split that the tags of an Example name (`split:train`); of several, the strictest: test, validation, train. */
export function splitOfTags(tags: readonly string[]): Split | undefined {
  return BY_PRECEDENCE.find((split) => tags.includes(`${TAG_PREFIX}${split}`));
}
