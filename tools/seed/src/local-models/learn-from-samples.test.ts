import { describe, expect, it } from '@jest/globals';
import { learnFromSamples } from './learn-from-samples.ts';
import { RefusedError, type ProjectApi } from './project-api.ts';

const GOAL = { id: 'goal_1', name: 'What the samples teach' };
const PATH = '/knowledge/goals/goal_1';
const running = {
  backfillId: 'kbfill_1',
  state: 'running',
  conversationsSeen: 5,
  conversationsPending: 4,
  itemsCreated: 1,
};
const completed = { ...running, state: 'completed', conversationsPending: 0, itemsCreated: 3, endedAt: 9 };

/** Project that answers each call with the next of its scripted answers, and repeats the last one forever. */
function projectWith(answers: Record<string, unknown[]>) {
  const asked: [string, unknown][] = [];
  const api: ProjectApi = {
    signal: new AbortController().signal,
    async call<Body>(path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}) {
      const call = `${method} ${path.split('?')[0]}`;
      if (method !== 'GET') asked.push([call, body]);
      const left = answers[call] ?? [];
      if (left.length === 0) throw new Error(`Nobody answers ${call}`);
      const answer = left.length > 1 ? left.shift() : left[0];
      if (answer instanceof Error) throw answer;
      return answer as Body;
    },
  };
  return { api, asked };
}

describe('the samples are learned from', () => {
  it('once: a goal, and when its model can be used a bounded backfill over the last day, to its end', async () => {
    const { api, asked } = projectWith({
      'GET /knowledge/goals': [{ goals: [] }],
      'POST /knowledge/goals': [GOAL],
      [`GET ${PATH}/backfills`]: [{ backfills: [] }],
      [`POST ${PATH}/backfills`]: [
        new RefusedError('POST', 409, 'MODEL_UNAVAILABLE', 'soon'),
        { backfillId: 'kbfill_1' },
      ],
      [`GET ${PATH}/backfills/kbfill_1`]: [{ ...running, endedAt: null }, completed],
    });
    const told: string[] = [];
    const nowMs = 1_800_000_000_000;
    const window = { startMs: nowMs - 86_400_000, endMs: nowMs, maxConversations: 200 };
    await learnFromSamples(api, { model: 'self/small', nowMs, tell: (line) => void told.push(line), pollMs: 1 });
    expect(asked).toEqual([
      ['POST /knowledge/goals', expect.objectContaining({ name: GOAL.name, model: 'self/small' })],
      [`POST ${PATH}/backfills`, window],
      [`POST ${PATH}/backfills`, window],
    ]);
    expect(told).toEqual([
      'Knowledge waits: POST: 409 MODEL_UNAVAILABLE, soon',
      'Knowledge of the samples: running, 1 conversations read, 1 items (GET .../knowledge/items)',
      'Knowledge of the samples: completed, 5 conversations read, 3 items (GET .../knowledge/items)',
    ]);
  });

  it('and not again by a later start', async () => {
    const { api, asked } = projectWith({
      'GET /knowledge/goals': [{ goals: [GOAL] }],
      [`GET ${PATH}/backfills`]: [{ backfills: [completed] }],
      [`GET ${PATH}/backfills/kbfill_1`]: [completed],
    });
    await learnFromSamples(api, { model: 'self/small', nowMs: 1, tell: () => undefined });
    expect(asked).toEqual([]);
  });
});
