import { describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { createRecentSuccesses, type RecentSuccess } from './recent-successes.ts';
import { correctedConversation } from './test-support/conversations.ts';

const SIGNAL = { kind: 'confirmation' as const, messageIndex: 4, answerAt: 3 };

function successOf(conversationId: string, projectId = 'prj_a'): RecentSuccess {
  return { snapshot: correctedConversation(projectId, conversationId), signal: SIGNAL };
}

describe('the memory of recent successes', () => {
  it('keeps those of projects that collect, for them alone', () => {
    const recent = createRecentSuccesses();
    const [early, late, foreign] = [successOf('early'), successOf('late'), successOf('foreign', 'prj_b')];
    recent.keep(early);
    recent.noteCollecting('prj_a');
    recent.keep(late);
    recent.keep(foreign);
    expect(recent.of('prj_a', early.snapshot.snapshotId)).toBeUndefined();
    expect(recent.of('prj_a', late.snapshot.snapshotId)).toEqual(late);
    expect(recent.of('prj_b', late.snapshot.snapshotId)).toBeUndefined();
    expect(recent.of('prj_b', foreign.snapshot.snapshotId)).toBeUndefined();
  });

  it('keeps a copy, without what was computed from the original', () => {
    const recent = createRecentSuccesses();
    recent.noteCollecting('prj_a');
    const success = successOf('one');
    recent.keep(success);
    expect(recent.of('prj_a', success.snapshot.snapshotId)?.snapshot).not.toBe(success.snapshot);
  });

  it('forgets them after a time', async () => {
    const recent = createRecentSuccesses({ keptMs: 1 });
    recent.noteCollecting('prj_a');
    const success = successOf('one');
    recent.keep(success);
    await eventually(() => expect(recent.of('prj_a', success.snapshot.snapshotId)).toBeUndefined());
  });

  it('is bounded by the words of all, and takes none that is larger than the whole', () => {
    const recent = createRecentSuccesses({ maxCharacters: 20_000 });
    recent.noteCollecting('prj_a');
    const long = (name: string, length: number): RecentSuccess => {
      const { snapshot } = successOf(name);
      const messages = snapshot.messages.map((message) => ({ ...message, content: 'x'.repeat(length) }));
      return { snapshot: { ...snapshot, messages }, signal: SIGNAL };
    };
    const count = successOf('any').snapshot.messages.length;
    const [first, second, huge] = [long('first', 15_000 / count), long('second', 15_000 / count), long('huge', 30_000)];
    for (const each of [first, second, huge]) recent.keep(each);
    const kept = [first, second, huge].map(({ snapshot }) => recent.of('prj_a', snapshot.snapshotId) !== undefined);
    expect(kept).toEqual([false, true, false]);
  });
});
