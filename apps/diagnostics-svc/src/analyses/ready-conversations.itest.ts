import { afterEach, describe, expect, it } from '@jest/globals';
import { analysisRequested, conversationReady, type EnvelopeOf } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
import { QUEUES, queueDepth } from '@clew/messaging';
import { BUILT_IN_RULES } from '@clew/rules';
import { createOutbox } from '@clew/persistence';
import { eventually, monitored, sentCommands, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { createEnabledRules, createRuleStore } from '../rules/index.ts';
import { createSettingsStore } from '../settings/settings.store.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../test-support/service.ts';
import { createAnalysisStore, createQueueRuns, takeReadyConversations } from './index.ts';
import { analysedSnapshots, runsOf as runsOfProject } from '../test-support/analyses.ts';

const environment = useTestEnvironment();
let service: TestService;

afterEach(() => service.stop());

async function start(options: TestServiceOptions = {}): Promise<void> {
  service = await startTestService(environment, options);
}

/** Builds a ready event for conversations, each with a snapshot of that revision. */
function readyOf(projectId: string, revision = 1, count = 1): EnvelopeOf<typeof conversationReady> {
  return {
    id: `${conversationReady.type}:${projectId}:${revision}`,
    type: conversationReady.type,
    version: conversationReady.version,
    occurredAt: 1,
    projectId,
    requestId: null,
    data: {
      conversations: Array.from({ length: count }, (_, index) => ({
        ...{ conversationId: `chat ${index}`, snapshotId: derivedId('cesr', projectId, String(revision), `${index}`) },
        ...{ revision, contentHash: 'hash', messagesHash: 'hash' },
        ...{ startedAt: 1, lastActivityAt: 2, messageCount: 1, traceIds: [] },
      })),
    },
  };
}

/** Publishes events, waits until the consumers have handled them and one more after them, and stops the consumers. */
async function takeAll(...envelopes: EnvelopeOf<typeof conversationReady>[]): Promise<void> {
  const consumers = service.start();
  const last = newId('prj');
  for (const envelope of [...envelopes, readyOf(last)]) await service.publisher.publish(conversationReady, envelope);
  await eventually(async () => {
    const told = await analysedSnapshots(service.database, last);
    expect((await runsOf(last)) + told.length).toBeGreaterThan(0);
  });
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  await eventually(async () => expect(await depth()).toEqual({ messages: 0, consumers: 0, deadLetters: 0 }));
}

function depth() {
  return queueDepth(service.broker, QUEUES.conversationReady);
}

async function runsOf(projectId: string): Promise<number> {
  return (await runsOfProject(service.database, projectId)).length;
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
    expect(await analysedSnapshots(service.database, on)).toEqual([]);
    await expectNotAnalysed(off);
    await switchTo(true);
    await takeAll(readyOf(off, 2));
    expect(await runsOf(off)).toBe(BUILT_IN_RULES.length);
  });

  it('is taken off the queue without runs where the rule service is not mounted', async () => {
    await start({ mountRules: false });
    const projectId = newId('prj');
    await takeAll(readyOf(projectId));
    expect(await runsOf(projectId)).toBe(0);
    await expectNotAnalysed(projectId);
  });

  it('that was analysed before is not said to be unanalysed when it is announced once more', async () => {
    await start();
    const projectId = newId('prj');
    await takeAll(readyOf(projectId));
    const body = { automaticSchedulingEnabled: false };
    await service.call({ method: 'PATCH', projectId, path: '/settings', body });
    await takeAll(readyOf(projectId));
    expect(await analysedSnapshots(service.database, projectId)).toEqual([]);
  });
});

/** Expects exactly one announcement that the one conversation will not be analysed. */
async function expectNotAnalysed(projectId: string): Promise<void> {
  const nothing = { score: null, severity: null, findingIds: [], unknownRules: 0 };
  expect(await analysedSnapshots(service.database, projectId)).toEqual([
    { conversationId: 'chat 0', snapshotId: expect.stringMatching(/^cesr_/), analysed: false, ...nothing },
  ]);
}

describe('many ready conversations', () => {
  const queueOnce = (messages: EnvelopeOf<typeof conversationReady>[]) => {
    const { database, clock } = service;
    const [analyses, outbox] = [createAnalysisStore(database), createOutbox(database)];
    const queueRuns = createQueueRuns({ analyses, outbox, clock });
    const enabledRules = createEnabledRules(createRuleStore(database), BUILT_IN_RULES);
    const mounted = { queueRuns, enabledRules };
    const settings = createSettingsStore(database);
    return takeReadyConversations({ database, settings, analyses, outbox, clock, mounted })(messages);
  };

  it('cost as many commands to the database as one, and one command to the workers for each hundred', async () => {
    await start({ mongoUrl: monitored(environment.mongoUrl) });
    const [one, many] = [newId('prj'), newId('prj')];
    const namesOf = async (messages: EnvelopeOf<typeof conversationReady>[]) =>
      (await sentCommands(service.database, () => queueOnce(messages))).map(({ name }) => name);
    const single = await namesOf([readyOf(one)]);
    expect(single).toEqual(['find', 'find', 'find', 'insert', 'update', 'commitTransaction']);
    const messages = [readyOf(many, 1, 100), readyOf(many, 2, 100), readyOf(many, 3, 50)];
    expect(await namesOf(messages)).toEqual(single);
    const commands = await emittedMessages(service.database, analysisRequested, many);
    expect(commands.map(({ data }) => data.snapshots.length)).toEqual([100, 100, 50]);
    expect(new Set(commands.flatMap(({ data }) => data.snapshots.map(({ snapshotId }) => snapshotId))).size).toBe(250);
    expect(await runsOf(many)).toBe(250 * BUILT_IN_RULES.length);
  });

  it('are queued once when two instances take them at once', async () => {
    await start();
    const projectId = newId('prj');
    const messages = [readyOf(projectId, 1, 40), readyOf(projectId, 2, 40)];
    await Promise.all([queueOnce(messages), queueOnce(messages.toReversed()), queueOnce(messages.slice(1))]);
    expect(await runsOf(projectId)).toBe(80 * BUILT_IN_RULES.length);
    const commands = await emittedMessages(service.database, analysisRequested, projectId);
    const commanded = commands.flatMap(({ data }) => data.snapshots.map(({ snapshotId }) => snapshotId));
    expect(commanded).toHaveLength(80);
    expect(new Set(commanded).size).toBe(80);
  });
});
