import { describe, expect, it } from '@jest/globals';
import { conversationReady, EXCHANGE_OF_KIND, routingKeyOf, routingKeysOf } from '@clew/contracts';
import { allMessages } from '@clew/contracts/all-messages';
import {
  bindingOf,
  deadLetterQueueOf,
  hasDurableSubscriber,
  QUEUES,
  RETRY_DELAYS_MS,
  retryExchangeOf,
  type QueueSpec,
} from './index.ts';

const queues = Object.values<QueueSpec>(QUEUES);

describe('the queues', () => {
  it('are named after their consumer and subject, with a version, each once', () => {
    const names = queues.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*\.v\d+$/);
  });

  it('give job consumers one message at a time, and result consumers a hundred', () => {
    expect(QUEUES.analysis.prefetch).toBe(1);
    expect(QUEUES.analysisResults).toMatchObject({ prefetch: 100, singleActiveConsumer: true });
  });

  it('push back on ingest when they are full', () => {
    expect(QUEUES.spansReceived.maxLengthBytes).toBe(1024 ** 3);
    expect(QUEUES.spansReceivedBulk.maxLengthBytes).toBe(1024 ** 3);
  });

  it('take each lane that a message declares, and no other', () => {
    const keysOfQueues = (type: string) =>
      queues.filter(({ message }) => message.type === type).map((queue) => bindingOf(queue).routingKey);
    const laned = allMessages().filter(({ lanes = [] }) => lanes.length > 0);
    for (const message of laned)
      expect(keysOfQueues(message.type).toSorted()).toEqual(routingKeysOf(message).toSorted());
    const types = laned.map(({ type }) => type);
    expect(queues.filter(({ lane, message }) => lane !== undefined && !types.includes(message.type))).toEqual([]);
  });

  it('have their dead letters beside them', () => {
    expect(deadLetterQueueOf(QUEUES.analysis.name)).toBe('jobs-worker.analysis.v1.dead');
  });
});

describe('hasDurableSubscriber', () => {
  it('knows the messages that a queue is for', () => {
    expect(hasDurableSubscriber(EXCHANGE_OF_KIND.event, routingKeyOf(conversationReady))).toBe(true);
    expect(hasDurableSubscriber(EXCHANGE_OF_KIND.command, routingKeyOf(conversationReady))).toBe(false);
    expect(hasDurableSubscriber(EXCHANGE_OF_KIND.event, 'gateway.api-key.changed.v1')).toBe(false);
  });

  it('counts no queue that is retired: what is published is of the next version, which has a queue of its own', () => {
    const next = { ...conversationReady, version: 2 };
    const queues = [
      { ...QUEUES.conversationReady, retired: true },
      { ...QUEUES.conversationReady, message: next, name: 'diagnostics-svc.conversation-ready.v2' },
    ];
    const isTaken = (message: typeof next) =>
      hasDurableSubscriber(EXCHANGE_OF_KIND.event, routingKeyOf(message), queues);
    expect([isTaken(conversationReady), isTaken(next)]).toEqual([false, true]);
  });
});

describe('the retry ladder', () => {
  it('waits 5 s, 30 s, 2 min and 10 min, in one place for each', () => {
    expect(RETRY_DELAYS_MS.map(retryExchangeOf)).toEqual([
      'clew.retry.5s',
      'clew.retry.30s',
      'clew.retry.2m',
      'clew.retry.10m',
    ]);
  });
});
