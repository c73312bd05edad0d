import { afterEach, describe, expect, it } from '@jest/globals';
import { conversationReady, type EnvelopeOf } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
import { QUEUES, queueDepth } from '@clew/messaging';
import { BUILT_IN_RULES } from '@clew/rules';
import { eventually, useTestEnvironment } from '@clew/testing';
import { startTestService, type TestService, type TestServiceOptions } from '../test-support/service.ts';
import { runModel } from './runs.store.ts';

const environment = useTestEnvironment();
let service: TestService;

afterEach(() => service.stop());

async function start(options: TestServiceOptions = {}): Promise<void> {
  service = await startTestService(environment, options);
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

/** Publishes, and waits until the consumers have dealt with all of it; then they are stopped. */
async function takeAll(...envelopes: EnvelopeOf<typeof conversationReady>[]): Promise<void> {
  let consumers = service.start();
  for (const envelope of envelopes) await service.publisher.publish(conversationReady, envelope);
  for (;;) {
    await eventually(async () => expect(await depth()).toMatchObject({ messages: 0 }));
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    const { messages, ...rest } = await depth();
    expect(rest).toEqual({ consumers: 0, deadLetters: 0 });
    if (messages === 0) return;
    // A stopping consumer gives back what it had in hand and had not begun.
    consumers = service.start();
  }
}

function depth() {
  return queueDepth(service.broker, QUEUES.conversationReady);
}

async function runsOf(projectId: string): Promise<number> {
  return await runModel(service.database.connection).countDocuments({ projectId });
}

describe('a ready conversation', () => {
  it('gets a run of every Rule, once however often it is announced, and again as a new snapshot', async () => {
    await start();
    const projectId = newId('prj');
    await takeAll(readyOf(projectId), readyOf(projectId));
    expect(await runsOf(projectId)).toBe(BUILT_IN_RULES.length);
    await takeAll(readyOf(projectId), readyOf(projectId, 2));
    expect(await runsOf(projectId)).toBe(2 * BUILT_IN_RULES.length);
  });

  it('gets no runs where the project has switched automatic scheduling off, until it is on again', async () => {
    await start();
    const [off, on] = [newId('prj'), newId('prj')];
    const switchTo = (automaticSchedulingEnabled: boolean) =>
      service.call({ method: 'PATCH', projectId: off, path: '/settings', body: { automaticSchedulingEnabled } });
    await switchTo(false);
    await takeAll(readyOf(off), readyOf(on));
    expect([await runsOf(off), await runsOf(on)]).toEqual([0, BUILT_IN_RULES.length]);
    await switchTo(true);
    await takeAll(readyOf(off, 2));
    expect(await runsOf(off)).toBe(BUILT_IN_RULES.length);
  });

  it('is taken off the queue without runs where the rule service is not mounted', async () => {
    await start({ mountRules: false });
    const projectId = newId('prj');
    await takeAll(readyOf(projectId));
    expect(await runsOf(projectId)).toBe(0);
  });
});
