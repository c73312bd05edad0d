import { setTimeout as answerAfter } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { BrokerUnavailableError } from './errors.ts';
import { countsOf } from './queue-counts.ts';

interface Answer {
  messages: number;
  consumers?: number;
  afterMs?: number;
}

/** Creates a broker that gives these answers in turn, then repeats the last one. */
function answering(...answers: Answer[]) {
  let asked = 0;
  return {
    asked: () => asked,
    async checkQueue(queue: string) {
      const { messages, consumers = 0, afterMs = 0 } = answers[Math.min(asked, answers.length - 1)]!;
      asked += 1;
      await answerAfter(afterMs);
      return { queue, messageCount: messages, consumerCount: consumers };
    },
  };
}

it('an answer in time counts, whatever it says', async () => {
  expect(await countsOf(answering({ messages: 0 }), 'q')).toEqual({ messages: 0, consumers: 0 });
  expect(await countsOf(answering({ messages: 3, consumers: 2 }), 'q')).toEqual({ messages: 3, consumers: 2 });
});

it('nothing, said as late as for a leader that does not answer, is asked for again', async () => {
  const broker = answering({ messages: 0, afterMs: 260 }, { messages: 7 });
  expect(await countsOf(broker, 'q')).toEqual({ messages: 7, consumers: 0 });
  expect(broker.asked()).toBe(2);
});

it('something counts, however late it is said', async () => {
  expect(await countsOf(answering({ messages: 1, afterMs: 260 }), 'q')).toEqual({ messages: 1, consumers: 0 });
});

it('a leader that never answers is told, and not taken for an empty queue', async () => {
  await expect(countsOf(answering({ messages: 0, afterMs: 255 }), 'q')).rejects.toThrow(BrokerUnavailableError);
});
