import { describe, expect, it } from '@jest/globals';
import type { ConversationMessage } from '@clew/contracts';
import { withoutWords } from '../snapshots/index.ts';
import { keepExpired } from './keep-expired.ts';

const OLD = 'a'.repeat(16);
const NEW = 'b'.repeat(16);

function said(contents: string, spanId: string): ConversationMessage[] {
  return [...contents].map((content, index) => ({
    ...{ index, content, spanId, atMs: 1, traceId: '0'.repeat(32) },
    role: 'user' as const,
  }));
}

const kept = (earlier: ConversationMessage[], told: ConversationMessage[]) =>
  keepExpired(earlier, told, ({ spanId }) => spanId === OLD);
const contents = (messages: readonly ConversationMessage[]) => messages.map(({ content }) => content).join('');

describe('messages whose content has expired', () => {
  it.each([
    ['stay before what is told without them', 'abc', 'de', 'abcde'],
    ['stand once where what is told repeats the whole history', 'abc', 'abcd', 'abcd'],
    ['stand once where what is told begins with their end', 'abc', 'bcd', 'abcd'],
    ['stay where nothing is told any more', 'abc', '', 'abc'],
    ['stay around a repeat of some of them', 'abcd', 'bc', 'abcd'],
    ['are joined at the longest overlap', 'xaa', 'aab', 'xaab'],
  ])('%s', (_name, earlier, told, expected) => {
    const joined = kept(said(earlier, OLD), said(told, NEW));
    expect(contents(joined)).toBe(expected);
    expect(joined.map(({ index }) => index)).toEqual([...joined.keys()]);
  });

  it('are found by their hashes once they have lost their words', () => {
    const { messages } = withoutWords({ messages: said('abc', OLD), tools: [], scores: [] });
    const joined = kept(messages, said('bcd', NEW));
    expect(joined.map(({ content, textExpired, spanId }) => [content, textExpired, spanId])).toEqual([
      ...[OLD, OLD, OLD].map((spanId) => ['', true, spanId]),
      ['d', undefined, NEW],
    ]);
  });

  it('keep the span that they were first said in', () => {
    const joined = kept(said('ab', OLD), said('abc', NEW));
    expect(joined.map(({ spanId }) => spanId)).toEqual([OLD, OLD, NEW]);
  });

  it('are alone in staying: what was in spans that are gone, or that still have their content, does not', () => {
    const earlier = [...said('a', OLD), ...said('bc', NEW)].map((message, index) => ({ ...message, index }));
    expect(contents(kept(earlier, said('d', NEW)))).toBe('ad');
  });
});
