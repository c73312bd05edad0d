import type { SnapshotMessage } from '@clew/contracts';
import { lengthNotCaptured } from '@clew/privacy';
import { withoutWords, type SnapshotContent } from '../snapshots/index.ts';

/**
 * Removes the words that stand for content that was never stored: such messages are the same as those whose words have
 * expired, so that everything that reads words does without them, and each tells its length.
 */
export function withoutNotCaptured<Content extends SnapshotContent>(content: Content): Content {
  const lengths = new Map<number, number>();
  for (const message of content.messages) {
    const length = lengthOf(message);
    if (length !== undefined) lengths.set(message.index, length);
  }
  if (lengths.size === 0) return content;
  const left = withoutWords(content, ({ index }) => lengths.has(index));
  const messages = left.messages.map((message) => {
    const length = lengths.get(message.index);
    return length === undefined ? message : { ...message, length };
  });
  return { ...content, ...left, messages };
}

function lengthOf({ content, reasoning = '', toolCalls = [], error }: SnapshotMessage): number | undefined {
  const words = [content, reasoning, error?.message ?? '', ...toolCalls.map((call) => call.arguments)];
  const lengths = words.map((text) => (typeof text === 'string' ? lengthNotCaptured(text) : undefined));
  const known = lengths.filter((length) => length !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, length) => sum + length, 0);
}
