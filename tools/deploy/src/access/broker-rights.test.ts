import { describe, expect, it } from '@jest/globals';
import { routingKeysOf, SERVICE_NAMES } from '@clew/contracts';
import { allMessages } from '@clew/contracts/all-messages';
import { deadLetterQueueOf, QUEUES, queuesSweptBy, type QueueSpec } from '@clew/messaging';
import { brokerRights } from './broker-rights.ts';
import { callsOf } from './calls.ts';

const NODE = 'node-1';
const may = (pattern: string, name: string) => new RegExp(pattern).test(name);

describe.each([...SERVICE_NAMES])('the rights of %s at the broker', (service) => {
  const { configure, read, topics } = brokerRights(service, [NODE]);

  it('are to take from its own queues and from no other', () => {
    for (const { name, consumer } of Object.values<QueueSpec>(QUEUES)) {
      expect([name, may(read, name)]).toEqual([name, consumer === service]);
    }
  });

  it('are to look through the dead letters that erasure makes it look through, to bury them again, and through no others', () => {
    const swept = queuesSweptBy(service);
    const bury = topics.find(({ exchange }) => exchange === 'clew.dead')?.write ?? '';
    for (const queue of Object.values<QueueSpec>(QUEUES)) {
      const isSwept = swept.includes(queue);
      expect([queue.name, may(read, deadLetterQueueOf(queue.name))]).toEqual([queue.name, isSwept]);
      if (queue.consumer !== service) expect([queue.name, may(bury, queue.name)]).toEqual([queue.name, isSwept]);
    }
  });

  it('are to publish its own messages and those of nobody else', () => {
    for (const message of allMessages()) {
      for (const key of routingKeysOf(message)) {
        const written = topics.filter(({ exchange, write }) => exchange !== 'clew.dead' && may(write, key));
        expect([key, written.length]).toEqual([key, message.publishedBy.includes(service) ? 1 : 0]);
      }
    }
  });

  it('are to declare nothing durable that others use', () => {
    const names = Object.values<QueueSpec>(QUEUES).map(({ name }) => name);
    expect([...names, 'clew.events', 'clew.retry.5s', 'mine'].filter((name) => may(configure, name))).toEqual([]);
  });
});

it('the dead letters of every queue that tells about conversations are looked through by one service', () => {
  const { datasetModels, ruleModels, goalModels, recordedDeeds, tokenQuotas } = QUEUES;
  const silent = [datasetModels, ruleModels, goalModels, recordedDeeds, tokenQuotas].map(({ name }) => name);
  const telling = Object.values<QueueSpec>(QUEUES)
    .map(({ name }) => name)
    .filter((name) => !silent.includes(name as never));
  const swept = SERVICE_NAMES.flatMap((service) => queuesSweptBy(service).map(({ name }) => name));
  expect(swept.toSorted()).toEqual(telling.toSorted());
});

it('nobody but the gateway calls what has no internal route for them', () => {
  expect(callsOf('telemetry-ingest')).toEqual(['telemetry-warehouse']);
  const called = ['telemetry-warehouse', 'diagnostics-svc', 'knowledge-svc', 'model-runtime-svc'];
  expect(callsOf('jobs-worker')).toEqual(called);
  expect(callsOf('gateway')).toContain('datasets-svc');
});
