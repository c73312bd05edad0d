import { expect, it } from '@jest/globals';
import { previewSummary } from './preview-summary.ts';

it('sums a preview up, with what would be collected first', () => {
  const looked = (conversationId: string, would: 'collect' | 'skip') => ({
    ...{ conversationId, would },
    because: would === 'collect' ? ('score' as const) : ('no_answer' as const),
  });
  const preview = { conversations: [looked('a', 'skip'), looked('b', 'collect')], items: [], examples: [] };
  const { subjects, noun, groups } = previewSummary(preview);
  expect(subjects.map(({ id }) => id)).toEqual(['b', 'a']);
  expect(noun).toBe('conversation');
  expect(groups).toEqual([
    { would: 'collect', number: 1 },
    { would: 'skip', number: 1 },
  ]);
});
