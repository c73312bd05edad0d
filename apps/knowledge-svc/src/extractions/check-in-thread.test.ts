import { describe, expect, it } from '@jest/globals';
import type { ConversationSnapshot, ItemEvidence } from '@clew/contracts';
import { PARTICIPANTS_ONLY } from '@clew/knowledge';
import { ThreadDeadlineError } from '@clew/runtime';
import { leastThreadTimeOf, MIN_SHARE, threadTimeOf } from '@clew/testing';
import { itemIn } from '../test-support/service.ts';
import { snapshotOf } from '../test-support/warehouse.ts';
import { createCheckQuotes } from './check-in-thread.ts';
import { checkedQuotes } from './check-quotes.ts';

const GOAL = { projectId: 'prj_1', sources: PARTICIPANTS_ONLY };
const FACTS = ['Deliveries come on Tuesday', 'Invoices go to Anna'];
const checkQuotes = createCheckQuotes({ deadlineMs: 60_000 });

/** Conversation of two facts with that many characters between them. */
function conversation(characters: number): ConversationSnapshot {
  const filler = 'We talked about the weather of the town. '.repeat(characters / 40);
  return snapshotOf('prj_1', 'a chat', [{ content: FACTS[0]! }, { content: filler }, { content: FACTS[1]! }]);
}

/** Evidence from an earlier snapshot, in which the messages stood at other places. */
function restingIn(snapshot: ConversationSnapshot): ItemEvidence[] {
  const { conversationId } = snapshot;
  return FACTS.flatMap((fact) => itemIn(snapshot, fact).evidence).map((one) => {
    return { ...one, conversationId, messageIndex: 7, isCurrent: true };
  });
}

describe('the check of quotes', () => {
  it.each([100, 200_000])(
    'has the same answer in a thread as here: of %d characters',
    async (characters) => {
      const snapshot = conversation(characters);
      const items = [...FACTS.map((fact) => itemIn(snapshot, fact)), { ...itemIn(snapshot, FACTS[0]!), evidence: [] }];
      const resting = restingIn(snapshot);
      const checked = await checkQuotes(GOAL, snapshot, items, resting);
      expect(checked).toEqual(checkedQuotes({ said: snapshot, sources: GOAL.sources, items, resting }));
      expect(checked.items).toMatchObject([
        { item: { content: FACTS[0] } },
        { item: { content: FACTS[1] } },
        'tainted',
      ]);
      expect(checked.resting.map(({ messageIndex, isCurrent }) => [messageIndex, isCurrent])).toEqual([
        [0, true],
        [2, true],
      ]);
    },
    60_000,
  );

  it('costs the event loop a small part of what a long conversation takes', async () => {
    // So long that the start of a thread, which others may need meanwhile, is small beside it.
    const snapshot = conversation(24_000_000);
    const items = [itemIn(snapshot, 'We talked about the weather of the town.')];
    const inlineMs = await threadTimeOf(() =>
      checkedQuotes({ said: snapshot, sources: GOAL.sources, items, resting: [] }),
    );
    const usedMs = await leastThreadTimeOf(() => checkQuotes(GOAL, snapshot, items, []));
    expect(usedMs).toBeLessThan(inlineMs / MIN_SHARE);
  }, 120_000);

  it('is refused at its deadline, and says what took so long', async () => {
    const hurried = createCheckQuotes({ deadlineMs: 1 });
    await expect(hurried(GOAL, conversation(200_000), [], [])).rejects.toThrow(
      new ThreadDeadlineError('check-thread takes longer than 1 ms'),
    );
  });

  it('is done in a thread where few words have many long quotes', async () => {
    const hurried = createCheckQuotes({ deadlineMs: 1 });
    const snapshot = conversation(2_000);
    const item = itemIn(snapshot, snapshot.messages[1]!.content);
    const items = Array.from({ length: 50 }, () => item);
    expect((await hurried(GOAL, snapshot, items.slice(0, 5), [])).items).toHaveLength(5);
    await expect(hurried(GOAL, snapshot, items, [])).rejects.toThrow(ThreadDeadlineError);
  });
});
