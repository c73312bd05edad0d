import { expect, it } from '@jest/globals';
import type { MessageUsage } from '@clew/contracts';
import { assistant, conversation, detect, user } from '../../test-support/conversation.ts';
import { tokenBlowUp } from './token-blow-up.ts';

const signalsFor = (...usages: MessageUsage[]): string[] =>
  detect(
    tokenBlowUp,
    conversation([user('Go'), ...usages.map((usage, index) => assistant(`Step ${index}`, { usage }))]),
  ).flatMap(({ signals }) => signals);
const outputs = (...counts: number[]): MessageUsage[] => counts.map((outputTokens) => ({ outputTokens }));
const inputs = (...counts: number[]): MessageUsage[] => counts.map((inputTokens) => ({ inputTokens }));

it('an output many times the usual is reported', () => {
  expect(signalsFor(...outputs(300, 280, 320, 310, 6000))).toEqual(['output_against_usual']);
});

it('an input that jumps is reported', () => {
  expect(signalsFor(...inputs(4000, 4500, 40_000))).toEqual(['input_jump']);
});

it('an input out of hand is reported once', () => {
  expect(signalsFor(...inputs(90_000, 120_000, 150_000))).toEqual(['input_out_of_hand']);
});

it.each([
  ['growth from turn to turn', inputs(4000, 8000, 16_000, 30_000)],
  ['a long output among few', outputs(300, 6000)],
  ['an input from a cache', [{ inputTokens: 120_000, cacheReadTokens: 110_000 }]],
  ['nothing recorded', [{}]],
])('left alone: %s', (_, usages) => {
  expect(signalsFor(...usages)).toEqual([]);
});
