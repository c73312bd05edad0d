import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findingChanged, type Finding, type FindingActivity } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { findingIdOf } from '../findings/occurrence.ts';
import { findingTaskCollection } from '../findings/tasks/index.ts';
import { detectionOf, resultOf } from '../test-support/results.ts';
import { startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

async function newFinding() {
  const projectId = newId('prj');
  await service.take(resultOf({ projectId, conversationId: 'first', found: { rule_a: ['loop'] } }));
  const path = `/findings/${findingIdOf(projectId, detectionOf('loop').clusterFingerprint)}`;
  const snooze = (snooze: object | null) =>
    service.call<Finding>({ projectId, method: 'PUT', path: `${path}/snooze`, body: { snooze } });
  const activity = async () => {
    const { body } = await service.call<{ activity: FindingActivity[] }>({ projectId, path: `${path}/activity` });
    return body.activity;
  };
  const told = async () => (await emittedMessages(service.database, findingChanged, projectId)).map(({ data }) => data);
  return { projectId, snooze, activity, told };
}

describe('a snooze until a moment', () => {
  it('ends then, once, with an entry of the service and an event', async () => {
    const { snooze, activity, told } = await newFinding();
    await snooze({ until: service.clock.now() + 1_000 });
    service.clock.advance(999);
    await service.doTasks();
    expect((await told()).at(-1)).toMatchObject({ actor: { kind: 'key' }, findings: [{ snoozed: true }] });
    service.clock.advance(1);
    while ((await service.doTasks()) > 0);
    expect(await activity()).toMatchObject([
      { kind: 'snooze', to: null, actor: { kind: 'service', id: 'diagnostics-svc' } },
      { kind: 'snooze', from: null, actor: { kind: 'key' } },
    ]);
    const events = await told();
    expect(events.map(({ findings }) => findings[0]?.snoozed)).toEqual([false, true, false]);
    expect(events.at(-1)).not.toHaveProperty('actor');
    expect(await findingTaskCollection(service.database.connection).countDocuments({})).toBe(0);
  });

  it('ends at the moment that was set last, and not at all once it was taken away', async () => {
    const [later, none] = [await newFinding(), await newFinding()];
    for (const { snooze } of [later, none]) await snooze({ until: service.clock.now() + 1_000 });
    await later.snooze({ until: service.clock.now() + 2_000 });
    await none.snooze(null);
    service.clock.advance(1_000);
    await service.doTasks();
    expect((await later.told()).at(-1)?.findings).toMatchObject([{ snoozed: true }]);
    service.clock.advance(1_000);
    await service.doTasks();
    expect((await later.told()).at(-1)?.findings).toMatchObject([{ snoozed: false }]);
    expect(await none.activity()).toHaveLength(2);
  });
});

describe('a snooze until more conversations show it', () => {
  it('ends with the last of them, with an entry of the service and an event', async () => {
    const { projectId, snooze, activity, told } = await newFinding();
    await snooze({ furtherOccurrences: 2 });
    for (const conversationId of ['second', 'third']) {
      // Detected later than the first occurrence, which remains the primary one.
      service.clock.advance(1);
      await service.take(resultOf({ projectId, conversationId, found: { rule_a: ['loop'] } }));
    }
    expect(await activity()).toMatchObject([{ kind: 'snooze', to: null, actor: { kind: 'service' } }, {}]);
    expect((await told()).map(({ findings }) => findings[0]?.snoozed)).toEqual([false, true, false]);
  });
});
