import { describe, expect, it } from '@jest/globals';
import { rememberedCounts } from './remembered-counts.ts';

const OPTIONS = { limit: 10, hint: 'by_facet' };

function counter(answers: (number | Error)[]) {
  const asked: object[] = [];
  const count = rememberedCounts((query) => {
    asked.push(query);
    const answer = answers.shift() ?? 0;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  return { asked, count };
}

describe('remembered counts', () => {
  it('ask once for the same part of the same index, also while the answer is on its way', async () => {
    const { asked, count } = counter([3, 5, 7, 9]);
    const both = await Promise.all([count({ a: 1 }, OPTIONS), count({ a: 1 }, OPTIONS)]);
    const others = [
      await count({ a: 1 }, OPTIONS),
      await count({ a: 2 }, OPTIONS),
      await count({ a: 1 }, { ...OPTIONS, hint: 'latest_first' }),
      await count({ a: 1 }, { ...OPTIONS, limit: 20 }),
    ];
    expect([both, others, asked.length]).toEqual([[3, 3], [3, 5, 7, 9], 4]);
  });

  it('forget a failure', async () => {
    const { count } = counter([new Error('gone'), 4]);
    await expect(count({ a: 1 }, OPTIONS)).rejects.toThrow('gone');
    expect(await count({ a: 1 }, OPTIONS)).toBe(4);
  });
});
