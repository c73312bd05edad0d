import { expect, it } from '@jest/globals';
import { createMetrics, WorkInHand, type BackgroundTask } from '@clew/runtime';
import { watchParts } from './watch.ts';

const told = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
  (await metrics.metrics()).split('\n').filter((line) => line.startsWith(name));

it('tells how long each piece of work of a part took, by how it ended', async () => {
  const metrics = createMetrics('test');
  const inHand = new WorkInHand();
  const part: BackgroundTask = { name: 'loop', onWorkEnded: (tell) => inHand.onEnd(tell), stop: () => undefined };
  watchParts({ metrics, maxHeartbeatAgeMs: 1_000 }).over([part]);
  for (const outcome of ['done', 'done', 'failed'] as const) inHand.begin().end(outcome);
  const counts = await told(metrics, 'clew_work_duration_seconds_count');
  expect(counts.map((line) => [/outcome="(\w+)"/.exec(line)?.[1], line.split(' ').at(-1)])).toEqual([
    ['done', '2'],
    ['failed', '1'],
  ]);
  expect(counts.every((line) => line.includes('part="loop"'))).toBe(true);
});

it('leaves out a part of which nobody can tell, and tells of the others', async () => {
  const metrics = createMetrics('test');
  const backlog = { waiting: 3, oldestAgeMs: 2_500, givenUp: 1 };
  watchParts({ metrics, maxHeartbeatAgeMs: 1_000 }).over([
    { name: 'away', backlog: () => Promise.reject(new Error('away')), stop: () => undefined },
    { name: 'there', backlog: async () => backlog, stop: () => undefined },
  ]);
  expect(await told(metrics, 'clew_part_waiting')).toEqual(['clew_part_waiting{part="there",service="test"} 3']);
  expect(await told(metrics, 'clew_part_oldest_age_seconds')).toEqual([
    'clew_part_oldest_age_seconds{part="there",service="test"} 2.5',
  ]);
  expect(await told(metrics, 'clew_part_given_up')).toEqual(['clew_part_given_up{part="there",service="test"} 1']);
});
