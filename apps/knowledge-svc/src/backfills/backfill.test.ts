import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pagesOf } from './backfill-progress.ts';
import { afterExtractions, backfillView, newBackfill, type Progress } from './backfill.ts';

const WINDOW = { projectId: 'p', goalId: 'g', requestId: 'r', startMs: 0, endMs: 1, maxConversations: 9 };
const NOTHING: Progress = { ended: 0, failed: 0, itemsCreated: 0, itemsMerged: 0, rejected: {} };

describe('what a backfill rejected', () => {
  it('is counted for each reason, and in all', () => {
    const first = afterExtractions(
      newBackfill({ ...WINDOW, key: 'k' }, 1),
      { ...NOTHING, rejected: { tainted: 2 } },
      2,
    );
    const second = afterExtractions(first, { ...NOTHING, rejected: { tainted: 1, malformed: 4 } }, 3);
    expect(backfillView(second)).toMatchObject({ rejectedQuotes: 7, rejected: { tainted: 3, malformed: 4 } });
  });
});

it('a backfill never has more to be read than may be asked for at a time, and always comes to its next page', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.option(fc.integer({ min: 1, max: 1_000 })), (max, size) => {
      const { pageSize, maxPending } = pagesOf(max, size ?? undefined);
      expect(pageSize).toBeGreaterThan(0);
      expect(maxPending).toBeGreaterThanOrEqual(0);
      expect(maxPending + pageSize).toBeLessThanOrEqual(max);
    }),
  );
});
