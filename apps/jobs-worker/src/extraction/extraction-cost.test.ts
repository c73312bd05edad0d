import { expect, it } from '@jest/globals';
import { encodeKeys, estimateTokens, joinKeys } from '@clew/knowledge';
import { snapshotOf, type Said } from '../test-support/extractions.ts';
import { extractionPrompt } from './extraction-prompt.ts';
import { planExtraction } from './plan-extraction.ts';

/** New tokens that knowledge-svc waits for by default, unless the conversation stays quiet for its patience. */
const MIN_NEW_TOKENS = 2_000;
const GOAL = 'Learn how this team handles refunds, deliveries and complaints of its customers.';

/** Forty turns of usual length, with no pause that exceeds the patience of ten minutes. */
const TURNS: Said[][] = Array.from({ length: 40 }, (_, turn) => [
  { role: 'user', content: `Question ${turn}: ${'what about the parcel of last week '.repeat(3 + (turn % 4))}?` },
  {
    role: 'assistant',
    content: `Answer ${turn}: ${'it was sent on Friday and is on its way to you '.repeat(8 + (turn % 5))}`,
  },
]);

/** Plans an extraction at each given number of turns, and keeps the ledger of messages that were read. */
function readAt(ends: readonly { turns: number; minNewTokens: number }[]) {
  let alreadyRead = encodeKeys([]);
  let promptTokens = 0;
  const shown: number[] = [];
  for (const { turns, minNewTokens } of ends) {
    const { messages } = snapshotOf(TURNS.slice(0, turns).flat());
    const plan = planExtraction(messages, { alreadyRead, contextLength: null });
    if (plan.newTokens < minNewTokens) continue;
    for (const chunk of plan.chunks) {
      const prompt = extractionPrompt(GOAL, chunk);
      promptTokens += prompt.reduce((sum, { content }) => sum + estimateTokens(content), 0);
      shown.push(...chunk.fresh.map(({ message }) => message.index));
    }
    alreadyRead = joinKeys(alreadyRead, plan.readAfter(plan.chunks.length));
  }
  return { promptTokens, shown };
}

it('a conversation that arrives turn by turn sends each message as new once, and costs at most 1.6 times one in one piece', () => {
  const inOnePiece = readAt([{ turns: 40, minNewTokens: 0 }]);
  const arriving = TURNS.map((_, turn) => ({ turns: turn + 1, minNewTokens: MIN_NEW_TOKENS }));
  // The patience runs out only after the last turn.
  const turnByTurn = readAt([...arriving, { turns: 40, minNewTokens: 0 }]);
  const all = TURNS.flat().map((_, index) => index);
  expect(inOnePiece.shown).toEqual(all);
  expect(turnByTurn.shown).toEqual(all);
  expect(turnByTurn.promptTokens).toBeGreaterThan(inOnePiece.promptTokens);
  expect(turnByTurn.promptTokens / inOnePiece.promptTokens).toBeLessThanOrEqual(1.6);
});
