import { afterEach, describe, expect, it } from '@jest/globals';
import { conversationReady, type EnvelopeOf } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
import { deadLetterQueueOf, QUEUES, queueDepth } from '@clew/messaging';
import { BUILT_IN_RULES } from '@clew/rules';
import { eventually, useTestEnvironment } from '@clew/testing';
import { startTestService, type TestService, type TestServiceOptions } from '../test-support/service.ts';
import { runModel } from './runs.store.ts';

const environment = useTestEnvironment();
let service: TestService;

afterEach(() => service.stop());

async function start(options: TestServiceOptions = {}): Promise<void> {
  service = await startTestService(environment, options);
  service.startConsumers();
}

function readyOf(projectId: string, revision = 1): EnvelopeOf<typeof conversationReady> {
  const conversationId = 'a chat';
  const snapshotId = derivedId('cesr', projectId, String(revision));
  return {
    id: `${conversationReady.type}:${snapshotId}`,
    type: conversationReady.type,
    version: conversationReady.version,
    occurredAt: 1,
    projectId,
    requestId: null,
    data: {
      ...{ conversationId, snapshotId, revision },
      ...{ contentHash: 'hash', startedAt: 1, lastActivityAt: 2, messageCount: 1, traceIds: [] },
    },
  };
}

/** Publishes, and waits until the queue has been emptied. */
async function announce(...envelopes: EnvelopeOf<typeof conversationReady>[]): Promise<void> {
  for (const envelope of envelopes) await service.publisher.publish(conversationReady, envelope);
  await eventually(async () => expect(await depthOf(QUEUES.conversationReady.name)).toEqual(0));
  const consumers = await queueDepth(service.broker, QUEUES.conversationReady);
  expect(consumers).toBeDefined();
}

async function depthOf(queue: string): Promise<number> {
  const channel = await service.broker.openChannel();
  const { messageCount } = await channel.checkQueue(queue);
  await channel.close();
  return messageCount;
}

function runsOf(projectId: string) {
  return runModel(service.database.connection).find({ projectId }).lean();
}
