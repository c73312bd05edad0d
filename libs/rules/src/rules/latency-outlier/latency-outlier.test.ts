import { expect, it } from '@jest/globals';
import { assistant, calls, conversation, detect, repeated, user } from '../../test-support/conversation.ts';
import { latencyOutlier } from './latency-outlier.ts';

const answers = (...durations: number[]) => [
  user('Go'),
  ...durations.map((durationMs, index) => assistant(`Step ${index}`, { durationMs })),
];
const signalsIn = (script: Parameters<typeof conversation>[0]): string[] =>
  detect(latencyOutlier, conversation(script)).flatMap(({ signals }) => signals);

it('a call that takes many times the usual of its agent is reported', () => {
  expect(signalsIn(answers(2000, 2100, 1900, 2000, 25_000))).toEqual(['slow_against_usual']);
});

it('a minute is too long, whatever is usual', () => {
  expect(signalsIn(answers(61_000))).toEqual(['very_slow']);
});

it('each tool has its own usual', () => {
  const run = (name: string, durationMs: number) => [
    calls({ name, arguments: {} }),
    { role: 'tool' as const, name, content: 'ok', durationMs },
  ];
  const script = [
    user('Go'),
    ...repeated(5, () => run('fast', 100)),
    ...run('fast', 12_000),
    ...repeated(6, () => run('slow', 35_000)),
  ];
  const found = detect(latencyOutlier, conversation(script));
  expect(found).toMatchObject([{ signals: ['slow_tool'], title: 'fast is slow' }]);
});

it.each([
  ['too few calls to speak of a usual', answers(1000, 1000, 20_000)],
  ['below what anybody notices', answers(100, 100, 100, 100, 100, 5000)],
  ['nothing recorded', [user('Go'), assistant('Done')]],
])('left alone: %s', (_, script) => {
  expect(signalsIn(script)).toEqual([]);
});
