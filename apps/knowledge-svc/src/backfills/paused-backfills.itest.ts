import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  extractionRequested,
  knowledgeBackfillEnded,
  type KnowledgeBackfill,
  type LearningGoal,
} from '@clew/contracts';
import { newId } from '@clew/kernel';
import { createOutbox } from '@clew/persistence';
import { eventually, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { createEndGivenUp, createExtractionStore } from '../extractions/index.ts';
import { readOutcome, startTestService, type TestService } from '../test-support/service.ts';
import { readyOf, SAID_AT, snapshotOf } from '../test-support/warehouse.ts';
import { createBackfillProgress, pagesOf } from './index.ts';

const environment = useTestEnvironment();
let service: TestService;
let projectId: string;
let goal: LearningGoal;
let backfillId: string;

beforeAll(async () => {
  service = await startTestService(environment);
  service.start();
});

afterAll(() => service.stop());

beforeEach(async () => {
  projectId = newId('prj');
  goal = await service.newGoal(projectId);
});

/** Requests a backfill of that many conversations. */
async function begin(count: number): Promise<void> {
  const snapshots = Array.from({ length: count }, (_, index) =>
    snapshotOf(projectId, `chat ${index}`, [{ content: `${index}` }]),
  );
  for (const snapshot of snapshots) service.warehouse.snapshots.set(snapshot.snapshotId, snapshot);
  service.warehouse.ready.set(projectId, snapshots.map(readyOf));
  const { body } = await service.call<KnowledgeBackfill>({
    ...{ method: 'POST', projectId, path: `/goals/${goal.id}/backfills` },
    body: { startMs: SAID_AT, endMs: SAID_AT + 86_400_000 },
  });
  backfillId = body.backfillId;
  await eventually(async () => expect(await service.commands(projectId)).toHaveLength(count));
}

const read = async () =>
  (await service.call<KnowledgeBackfill>({ projectId, path: `/goals/${goal.id}/backfills/${backfillId}` })).body;

const move = (status: string) =>
  service.call({ method: 'PATCH', projectId, path: `/goals/${goal.id}`, body: { status } });

const later = { status: 'later', reason: 'busy', retryAfterMs: 1_000, isBudget: true } as const;

it('a backfill of a paused goal waits, and goes on when the goal is active again', async () => {
  await begin(1);
  await move('paused');
  const [command] = await service.commands(projectId);
  await service.complete(command!, later);
  await eventually(async () => {
    service.clock.advance(1_000);
    const held = await service.database.withTransaction((tx) =>
      createExtractionStore(service.database).getMany(tx, [command!.data.extractionId]),
    );
    expect(held.get(command!.data.extractionId)?.state).toBe('held');
  });
  expect(await service.commands(projectId)).toHaveLength(1);
  await move('active');
  const [, again] = await eventually(async () => {
    const sent = await service.commands(projectId);
    expect(sent).toHaveLength(2);
    return sent;
  });
  await service.complete(again!, readOutcome([]));
  await eventually(async () => expect((await read()).state).toBe('completed'));
});

it('a backfill of an archived goal is cancelled, and stays so', async () => {
  await begin(4);
  await move('archived');
  expect(await read()).toMatchObject({ state: 'cancelled', endedAt: service.clock.now() });
  await move('active');
  expect((await read()).state).toBe('cancelled');
  const told = await emittedMessages(service.database, knowledgeBackfillEnded, projectId);
  expect(told.map(({ data }) => data)).toMatchObject([{ backfillId, state: 'cancelled', goalId: goal.id }]);
});

it('what ends in the dead letters ends its extraction as failed, and the backfill completes without it', async () => {
  await begin(2);
  const [lost, kept] = await service.commands(projectId);
  const { database, clock } = service;
  const endGivenUp = createEndGivenUp({
    ...{ database, extractions: createExtractionStore(database) },
    afterTaken: createBackfillProgress({ database, clock, outbox: createOutbox(database), ...pagesOf(256) }).taken,
  });
  for (let time = 0; time < 2; time += 1) await endGivenUp({ ...lost!, type: extractionRequested.type });
  await service.complete(kept!, readOutcome([]));
  await eventually(async () =>
    expect(await read()).toMatchObject({ state: 'completed', conversationsSeen: 2, conversationsFailed: 1 }),
  );
  const told = await emittedMessages(service.database, knowledgeBackfillEnded, projectId);
  expect(told.map(({ data }) => data)).toMatchObject([{ backfillId, state: 'completed', conversationsFailed: 1 }]);
});

it('a conversation that cannot be read for good is counted, and one that may be later is asked for again', async () => {
  await begin(2);
  const [first, second] = await service.commands(projectId);
  await service.complete(first!, { status: 'failed', reason: 'The model refuses' });
  await service.complete(second!, later);
  await eventually(async () => expect((await read()).conversationsFailed).toBe(1));
  const again = await eventually(async () => {
    service.clock.advance(1_000);
    const sent = (await service.commands(projectId)).find(({ data }) => data.round === 2);
    if (sent === undefined) throw new Error('It was not asked for again');
    return sent;
  });
  expect(again.data.conversationId).toBe(second!.data.conversationId);
  await service.complete(again, readOutcome([]));
  await eventually(async () => expect(await read()).toMatchObject({ state: 'completed', conversationsFailed: 1 }));
});
