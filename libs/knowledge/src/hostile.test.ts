import { describe, expect, it } from '@jest/globals';
import type { ConversationMessage } from '@clew/contracts';
import { processorTimeMs } from '@clew/testing';
import { slowTexts, twoPieceTexts, type Work } from '@clew/testing/hostile';
import {
  acceptItems,
  claimOf,
  estimateTokens,
  lastingSentences,
  lockQuote,
  mayFollow,
  messageKeysOf,
  splitSentences,
  taintedRanges,
  taintOf,
} from './index.ts';

function said(content: string): ConversationMessage {
  return { index: 0, role: 'user', content, atMs: 0, traceId: '0'.repeat(32), spanId: '0'.repeat(16) };
}
const shown = (content: string) => [{ message: said(content), range: { start: 0, end: content.length } }];

/** Readers of texts whose length nothing limits beforehand. */
const READERS: Readonly<Record<string, Work>> = {
  taintedRanges: (text) => taintedRanges(said(text)),
  taintOf(text) {
    const isTainted = taintOf(said(text));
    for (let start = 0; start < text.length; start += 10) isTainted({ start, end: start + 5 });
  },
  splitSentences: (text) => splitSentences(text, { start: 0, end: text.length }),
  lastingSentences: (text) => lastingSentences(shown(text)),
  acceptItems: (text) => acceptItems(lastingSentences(shown(text)).slice(0, 5).map(claimOf), shown(text)),
  lockQuote: (text) => lockQuote(text, 'a quote that is nowhere'),
  'mayFollow, as the statement': (text) => mayFollow(text, [{ text: 'Refunds take 5 days.' }]),
  'mayFollow, as the quote': (text) => mayFollow('Refunds take 5 days.', [{ text }]),
  messageKeysOf: (text) => messageKeysOf([said(text)]),
  estimateTokens,
};

describe('the readers of messages', () => {
  it.each(['a', '東'])('find the place of a long quote fast, also where it seems to be everywhere: %j', (character) => {
    const half = character.repeat(999);
    const text = character.repeat(1_000_000);
    const startedAtMs = processorTimeMs();
    expect(lockQuote(text, `${half}z${half}`)).toBeUndefined();
    expect(processorTimeMs() - startedAtMs).toBeLessThan(100);
  });

  it.each(Object.entries(READERS))(
    'take time that is linear in the length of a text, whatever it holds: %s',
    (_, read) => {
      expect(slowTexts(read, twoPieceTexts())).toEqual([]);
    },
    600_000,
  );

  it.each(['\n', ' \n', '\\', '"', '!', '# ', '\u0301\u0316', '> a\n', 'ignore '])(
    'tell of 8,000 times %j in a tenth of a second what is tainted',
    (piece) => {
      taintedRanges(said(piece));
      const startedAtMs = processorTimeMs();
      taintedRanges(said(piece.repeat(8_000)));
      expect(processorTimeMs() - startedAtMs).toBeLessThan(100);
    },
  );
});
