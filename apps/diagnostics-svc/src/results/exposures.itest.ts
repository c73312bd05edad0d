import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findingChanged } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { createOutbox, type Database } from '@clew/persistence';
import { explainSent, fixedClock, monitored, sentCommands, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { activityModel, createActivityStore } from '../findings/activity/index.ts';
import { createChangesService } from '../findings/changes/index.ts';
import { withNewState } from '../findings/changes/change-finding.ts';
import { findingCollection } from '../findings/finding.model.ts';
import { createFindingStore } from '../findings/findings.store.ts';
import { findingIdOf } from '../findings/occurrence.ts';
import { recurrenceBound } from '../findings/resolution/recurrence-bound.ts';
import { awaitingVerification } from '../findings/resolution/resolution.ts';
import { createFindingTaskStore } from '../findings/tasks/index.ts';
import { createExposureStore, exposureCollection } from '../findings/verification/index.ts';
import { detectionOf, resultOf, STARTED_AT, type CompletedMessage } from '../test-support/results.ts';
import { openTestDatabase, resultsServiceOn } from '../test-support/service.ts';

const environment = useTestEnvironment();
const clock = fixedClock(STARTED_AT);
let database: Database;
let take: (batch: readonly CompletedMessage[]) => Promise<void>;

beforeAll(async () => {
  database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  take = resultsServiceOn(database, clock);
});

afterAll(() => database.close());

const LOOP = detectionOf('loop', { situation: { tools: ['pay'] } });

/** A Finding whose repair was noticed just now. */
async function startedVerification(requiredExposures = 3) {
  const projectId = newId('prj');
  const findingId = findingIdOf(projectId, LOOP.clusterFingerprint);
  clock.advance(1_000);
  await take([resultOf({ projectId, conversationId: 'before', found: { rule_a: [LOOP] } })]);
  const findings = createFindingStore(database);
  await database.withTransaction(async (tx) => {
    const before = (await findings.get(projectId, findingId, tx))!;
    const state = awaitingVerification(before, { requiredExposures, nowMs: clock.now() });
    await findings.saveHead(tx, withNewState(before, state as typeof before, clock.now()));
  });
  const since = clock.now();
  clock.advance(60_000);
  return {
    projectId,
    findingId,
    told: (conversationId: string, revision = 1, found: (typeof LOOP)[] = [], tools = ['pay']) =>
      resultOf({
        ...{ projectId, conversationId, found: { rule_a: found } },
        snapshot: { revision, startedAt: since + 1, offered: { agents: ['clerk'], tools } },
      }),
    read: async () => (await findings.get(projectId, findingId))!,
    exposures: () => exposureCollection(database.connection).countDocuments({ projectId }),
  };
}

describe('a Finding that awaits verification', () => {
  it('is resolved by enough clean conversations, which is announced and stands in its activity', async () => {
    const { projectId, findingId, told, read, exposures } = await startedVerification();
    await take([told('one'), told('two'), told('other', 1, [], ['find'])]);
    expect(await read()).toMatchObject({
      resolutionStatus: 'awaiting_verification',
      verification: { cleanExposures: 2, recurrenceBound: recurrenceBound(2) },
    });
    expect(await exposures()).toBe(2);
    // Again, and in a newer snapshot: the same two conversations.
    await take([told('one', 2)]);
    await take([told('two', 3), told('one', 3)]);
    expect(await read()).toMatchObject({ verification: { cleanExposures: 2 } });
    const { revision } = await read();
    await take([told('three'), told('four')]);
    expect(await read()).toMatchObject({
      ...{ resolutionStatus: 'resolved', resolvedAt: clock.now(), listed: true, revision: revision + 1 },
      verification: { cleanExposures: 3, requiredExposures: 3, recurrenceBound: recurrenceBound(3) },
    });
    expect(await exposures()).toBe(0);
    const events = await emittedMessages(database, findingChanged, projectId);
    const states = events.flatMap(({ data }) => data.findings.map(({ resolutionStatus }) => resolutionStatus));
    expect(states.at(-1)).toBe('resolved');
    const activity = await activityModel(database.connection).find({ projectId, findingId }).lean();
    expect(activity).toMatchObject([
      { kind: 'resolution', from: 'awaiting_verification', to: 'resolved', actor: { kind: 'service' } },
    ]);
  });

  it('regresses where a newer snapshot of a clean conversation shows it after all, before or after it was resolved', async () => {
    for (const required of [3, 1]) {
      const { told, read, exposures } = await startedVerification(required);
      await take([told('one')]);
      expect((await read()).resolutionStatus).toBe(required === 1 ? 'resolved' : 'awaiting_verification');
      await take([told('one', 2, [LOOP])]);
      expect(await read()).toMatchObject({ resolutionStatus: 'regressed', verification: null });
      expect(await exposures()).toBe(0);
    }
  });

  it('can still be resolved or left unresolved by a person, which forgets its exposures', async () => {
    const { projectId, findingId, told, read, exposures } = await startedVerification();
    await take([told('one')]);
    const changes = createChangesService({
      ...{ database, clock, findings: createFindingStore(database), activities: createActivityStore(database) },
      ...{ outbox: createOutbox(database), tasks: createFindingTaskStore(database) },
      ...{ exposures: createExposureStore(database), workItemOf: () => Promise.resolve({ status: 'done' as const }) },
    });
    const by = { actor: { kind: 'user' as const, id: 'usr_1' }, requestId: 'req_1', check: () => undefined };
    await changes.change({ projectId, findingId }, { resolutionStatus: 'resolved' }, by);
    expect(await read()).toMatchObject({ resolutionStatus: 'resolved', verification: null });
    expect(await exposures()).toBe(0);
  });
});

describe('the cost of verification', () => {
  it('is one read by an index for a group of conversations in projects in which nothing awaits it', async () => {
    const projectId = newId('prj');
    const clean = (name: string) => resultOf({ projectId, conversationId: name, found: { rule_a: [] } });
    const commands = await sentCommands(database, () => take([clean('one'), clean('two'), clean('three')]));
    expect(commands.filter(({ name, collection }) => name === 'find' && collection === 'findings')).toHaveLength(1);
    expect(commands.filter(({ collection }) => collection === 'exposures')).toEqual([]);
  });

  it('is paid from indexes alone', async () => {
    const { told, projectId } = await startedVerification();
    const others = Array.from({ length: 200 }, (_, index) => ({
      _id: `fnd_other_${projectId}_${index}`,
      projectId,
      resolutionStatus: 'unresolved',
    }));
    await findingCollection(database).insertMany(others as never);
    const plans = (await explainSent(database, () => take([told('one'), told('two')]))).map(
      ({ plan, stats }) => `${plan} ${stats.totalDocsExamined}`,
    );
    expect(plans).toContainEqual(expect.stringMatching(/^find findings: .*IXSCAN.* 1$/));
    expect(plans).toContainEqual(expect.stringMatching(/^find exposures: .*(IXSCAN|IDHACK)/));
  });
});
