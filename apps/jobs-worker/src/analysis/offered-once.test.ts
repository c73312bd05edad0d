import { describe, expect, it } from '@jest/globals';
import type { ConversationResult } from './evaluate.ts';
import { offeredOnce } from './offered-once.ts';

const SNAPSHOT = { revision: 1, scope: 'conversation', startedAt: 1, throughMs: 2 } as const;

function resultOf(conversationId: string, tools: string[] | undefined): ConversationResult {
  const offered = tools === undefined ? {} : { offered: { agents: ['clerk'], tools } };
  return { conversationId, snapshotId: `s-${conversationId}`, snapshot: { ...SNAPSHOT, ...offered } };
}

describe('what the conversations of a message offer', () => {
  it('is carried once for those that are alike', () => {
    const { conversations, offered } = offeredOnce([
      resultOf('1', ['pay']),
      resultOf('2', ['find']),
      resultOf('3', ['pay']),
      { conversationId: '4', snapshotId: 's-4', snapshot: null },
    ]);
    expect(offered?.map(({ tools }) => tools)).toEqual([['pay'], ['find']]);
    expect(conversations.map(({ snapshot }) => snapshot?.offered)).toEqual([0, 1, 0, undefined]);
  });

  it('is left out where there is no room for it, and where nobody said it', () => {
    const long = (index: number) => [`${index}`.padEnd(20_000, 'x')];
    const { conversations, offered } = offeredOnce([
      ...[resultOf('1', long(1)), resultOf('2', long(2)), resultOf('3', ['pay']), resultOf('4', undefined)],
    ]);
    expect(offered).toHaveLength(2);
    expect(conversations.map(({ snapshot }) => snapshot?.offered)).toEqual([0, undefined, 1, undefined]);
  });
});
