import type { ConversationSnapshot } from '@clew/contracts';
import { describe, expect, it } from '@jest/globals';
import { BUILT_IN_RULES } from './built-in-rules.ts';
import { expiredThrough, isWordless } from './expired-words.ts';
import { conclude, runRule } from './run-rule.ts';
import { negativeScore } from './rules/negative-score/negative-score.ts';
import { toolErrorUnhandled } from './rules/tool-error-unhandled/tool-error-unhandled.ts';
import { assistant, conversation, detect, failed, user } from './test-support/conversation.ts';

const told = conversation([
  user('Please cancel order 17.'),
  failed('cancel_order', { id: 17 }, '503 from billing'),
  assistant('Your order has been cancelled.'),
  user('And order 18?'),
  failed('find_order', { id: 18 }, '404, no such order'),
  assistant('It is on its way.'),
]);

/** Builds the conversation with the text of its first messages expired. */
function expiredUntil(end: number): ConversationSnapshot {
  const messages = told.messages.map((message) => {
    if (message.index >= end) return message;
    const { toolCalls, error, ...rest } = message;
    return {
      ...rest,
      ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map((call) => ({ ...call, arguments: null })) }),
      ...(error === undefined ? {} : { error: { type: error.type, message: '' } }),
      content: '',
      textExpired: true as const,
    };
  });
  return { ...told, messages: messages as ConversationSnapshot['messages'] };
}

describe('a message whose words have expired', () => {
  it('shows no problem any more, while those that have theirs do', () => {
    const steps = (snapshot: ConversationSnapshot) =>
      detect(toolErrorUnhandled, snapshot)
        .map(({ anchor }) => anchor.stepIndex)
        .toSorted();
    expect(steps(told)).toEqual([2, 6]);
    expect(steps(expiredUntil(4))).toEqual([6]);
    expect(steps(expiredUntil(told.messages.length))).toEqual([]);
  });

  it('is evidence of nothing that a Rule finds which reads words, however much has expired', () => {
    for (const rule of BUILT_IN_RULES.filter(({ readsWords }) => readsWords !== false)) {
      for (let end = 0; end <= told.messages.length; end += 1) {
        const places = detect(rule, expiredUntil(end)).flatMap(({ evidence }) => evidence);
        for (const { location } of places) expect(location.stepIndex).toBeGreaterThanOrEqual(end);
      }
    }
  });

  it('is no obstacle to a score that somebody gives later', () => {
    const score = { name: 'helpful', value: false, source: 'user' as const, createdAt: told.throughMs };
    const wordless = { ...expiredUntil(told.messages.length), scores: [score as never] };
    expect(detect(negativeScore, wordless)).toHaveLength(1);
    const [scored, silenced] = [negativeScore, toolErrorUnhandled].map((rule) =>
      runRule(rule, wordless, { configuration: rule.defaultConfiguration }),
    );
    expect(scored).toMatchObject({ status: 'succeeded', detections: [{ ruleKey: negativeScore.ruleKey }] });
    expect(silenced).toEqual({ status: 'skipped', reason: 'TEXT_EXPIRED' });
    expect([conclude(told, []).diagnosis, conclude(wordless, []).diagnosis]).toEqual([expect.anything(), undefined]);
  });

  it('is told of by its place', () => {
    expect([told, expiredUntil(4), expiredUntil(8)].map(expiredThrough)).toEqual([undefined, 3, 7]);
    expect([told, expiredUntil(4), expiredUntil(8)].map(isWordless)).toEqual([false, false, true]);
  });
});
