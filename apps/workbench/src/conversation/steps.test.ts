import { expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { stepsOf } from './steps.ts';

const message = (rest: Partial<Api.ConversationMessage>): Api.ConversationMessage => ({
  index: 0,
  role: 'user',
  content: '',
  traceId: 't',
  spanId: 's',
  atMs: 1_000,
  ...rest,
});

it('puts each step where its time lies', () => {
  const steps = stepsOf([
    message({ index: 0, content: 'hello\nthere' }),
    message({
      index: 1,
      role: 'assistant',
      atMs: 3_000,
      durationMs: 1_500,
      toolCalls: [{ name: 'find', arguments: {} }],
    }),
    message({
      index: 2,
      role: 'tool',
      name: 'find',
      atMs: 5_000,
      durationMs: 2_000,
      error: { type: 'E', message: 'x' },
    }),
  ]);
  expect(steps.map(({ start, length }) => [start, length])).toEqual([
    [0, 0],
    [0.125, 0.375],
    [0.5, 0.5],
  ]);
  expect(steps.map(({ label }) => label)).toEqual(['hello there', 'find()', 'find']);
  expect(steps.map(({ hasFailed }) => hasFailed)).toEqual([false, false, true]);
});

it('begins with the step that began first, and needs no time at all', () => {
  expect(stepsOf([])).toEqual([]);
  expect(stepsOf([message({})])[0]).toMatchObject({ start: 0, length: 0 });
});
