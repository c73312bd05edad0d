import { describe, expect, it } from '@jest/globals';
import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { conclude } from '../run-rule.ts';
import { successOf } from './success.ts';

type Said = Partial<ConversationMessage> & Pick<ConversationMessage, 'role'>;

function snapshotOf(said: readonly Said[], scores: ConversationSnapshot['scores'] = []): ConversationSnapshot {
  const place = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  return {
    ...{ snapshotId: 'cesr_1', projectId: 'prj_1', conversationId: 'c', contentHash: 'h', revision: 1 },
    ...{ scope: 'conversation', startedAt: 1, throughMs: 9, agents: [], models: [], userId: null, truncated: false },
    ...{ tools: [], scores },
    messages: said.map((message, index) => ({ content: '', ...place, atMs: index, ...message, index })),
  };
}

const ASKED: Said[] = [
  { role: 'user', content: 'Please cancel my booking HXDUBJ.' },
  { role: 'assistant', content: 'Shall I cancel the booking HXDUBJ?' },
  { role: 'user', content: 'Yes, please.' },
];
const called = (name: string, result: Partial<ConversationMessage> = {}): Said[] => [
  { role: 'assistant', toolCalls: [{ id: '1', name, arguments: { id: 'HXDUBJ' } }] },
  { role: 'tool', toolCallId: '1', name, content: '{"status": "ok"}', ...result },
];
const CANCELLED: Said[] = [...ASKED, ...called('cancel_booking'), { role: 'assistant', content: 'It is cancelled.' }];
const score = (value: boolean | number | string) => [
  { id: 's', name: 'quality', value, source: 'user' as const, createdAt: 1 },
];
const kindOf = (said: readonly Said[], scores?: ConversationSnapshot['scores']) => {
  const success = successOf(snapshotOf(said, scores));
  return 'signal' in success ? success.signal.kind : success.missing;
};

describe('a conversation that succeeded', () => {
  it.each(['Thank you so much, that is all!', 'Perfect, vielen Dank', 'Merci, parfait.', 'Great, that worked'])(
    'is one whose user confirms it: %s',
    (content) => {
      const success = successOf(snapshotOf([...CANCELLED, { role: 'user', content }]));
      expect(success).toEqual({ signal: { kind: 'confirmation', messageIndex: 6, answerAt: 5 } });
    },
  );

  it('is one whose last call changed something without an error', () => {
    expect(successOf(snapshotOf(CANCELLED))).toEqual({
      signal: { kind: 'closing_tool', messageIndex: 4, answerAt: 5 },
    });
    const unanswered = [...ASKED, ...called('cancel_booking')];
    expect(successOf(snapshotOf(unanswered))).toEqual({
      signal: { kind: 'closing_tool', messageIndex: 4, answerAt: 3 },
    });
  });

  it('is one that was handed over as the user agreed', () => {
    expect(kindOf([...ASKED, ...called('transfer_to_human_agent')])).toBe('closing_tool');
    expect(kindOf([ASKED[0]!, ASKED[1]!, { role: 'user', content: 'No.' }, ...called('transfer_to_human')])).toBe(
      'no_success_signal',
    );
  });

  it.each([true, 0.9, 'good'])('is one whose score says so (%s), whatever else is missing', (value) => {
    expect(successOf(snapshotOf(ASKED, score(value)))).toEqual({
      signal: { kind: 'score', messageIndex: null, answerAt: 1 },
    });
  });
});

describe('a conversation of a project that names the scores that count', () => {
  const named = (said: readonly Said[], value: number | boolean | string, name = 'quality') => {
    const successScores = [{ name: 'resolved' }, { name: 'quality', atLeast: 4 }];
    const success = successOf({
      ...snapshotOf(
        said,
        score(value).map((one) => ({ ...one, name })),
      ),
      successScores,
    });
    return 'signal' in success ? success.signal.kind : success.missing;
  };

  it('succeeded by a number from the threshold on, and failed below it', () => {
    expect(named(ASKED, 4)).toBe('score');
    expect(named(ASKED, 5)).toBe('score');
    expect(named(CANCELLED, 3.9)).toBe('failing_score');
    expect(named(CANCELLED, 'bad')).toBe('failing_score');
    expect(named(ASKED, true, 'resolved')).toBe('score');
  });

  it('goes by what was said and done where only other scores were given, good or bad', () => {
    expect(named(ASKED, 1, 'latency')).toBe('no_success_signal');
    expect(named(CANCELLED, 0, 'latency')).toBe('closing_tool');
    expect(named(CANCELLED, 3, 'resolved')).toBe('closing_tool');
  });

  it('failed by one bad score among good ones, in whatever order they came', () => {
    const scores = [...score(5), ...score(2)];
    for (const ordered of [scores, scores.toReversed()]) {
      const snapshot = { ...snapshotOf(CANCELLED, ordered), successScores: [{ name: 'quality', atLeast: 4 }] };
      expect(successOf(snapshot)).toEqual({ missing: 'failing_score' });
    }
  });
});

describe('the conclusion about a conversation', () => {
  it('tells what success is shown, or why none, as those who look for one find it', () => {
    const silent = snapshotOf(ASKED);
    expect(conclude(silent, []).success).toEqual({ missing: 'no_success_signal' });
    expect(conclude(snapshotOf(CANCELLED), []).success).toEqual(successOf(snapshotOf(CANCELLED)));
    expect(conclude({ ...silent, scope: 'prefix' }, []).success).toBeUndefined();
  });
});

describe('a conversation whose success is not shown', () => {
  it.each<[string, readonly Said[]]>([
    ['asks on after the thanks', [...CANCELLED, { role: 'user', content: 'Thanks! And can you book another one?' }]],
    ['thanks with a doubt', [...CANCELLED, { role: 'user', content: 'Thanks, but it is still there.' }]],
    ['has an error as its last result', [...ASKED, ...called('cancel_booking', { content: 'Error: not found' })]],
    ['ends with a look-up', [...ASKED, ...called('get_booking'), { role: 'assistant', content: 'It is there.' }]],
    ['ends with a program that ran', [...ASKED, ...called('run_code'), { role: 'assistant', content: 'Done.' }]],
    ['admits a failure', [...ASKED, ...called('cancel_booking'), { role: 'assistant', content: 'Unfortunately not.' }]],
    ['has thanks for nothing but a greeting', [{ role: 'user', content: 'Thanks' }]],
  ])('is one that %s', (_name, said) => {
    expect(kindOf(said)).toBe('no_success_signal');
  });

  it('is one with a bad score, however the user thanks', () => {
    const thanked: Said[] = [...CANCELLED, { role: 'user', content: 'Thank you, perfect!' }];
    expect(kindOf(thanked, score(false))).toBe('failing_score');
    expect(kindOf(thanked, [...score(true), ...score(0.1)])).toBe('failing_score');
  });
});
