import type { Split } from '@clew/contracts';

const TAG_PREFIX = 'split:';
/** Of several splits that Examples of one group are meant for: what is tested on must never be trained on. */
const BY_PRECEDENCE: readonly Split[] = ['test', 'validation', 'train'];

/** The split that the tags of an Example name (`split:train`); of several the strictest: test, validation, train. */
export function splitOfTags(tags: readonly string[]): Split | undefined {
  return BY_PRECEDENCE.find((split) => tags.includes(`${TAG_PREFIX}${split}`));
}
