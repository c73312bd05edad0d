import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  analysisCompleted,
  kindComparisonCompleted,
  kindComparisonRequested,
  modelAvailabilityChanged,
  reviewCompleted,
  reviewRequested,
  type EnvelopeOf,
  type Finding,
  type FindingActivity,
  type ReviewedProblem,
} from '@clew/contracts';
import { newId } from '@clew/kernel';
import { BUILT_IN_RULES } from '@clew/rules';
import { eventually, useCleanup, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { resultOf, STARTED_AT } from '../../test-support/results.ts';
import { startTestService, type TestService } from '../../test-support/service.ts';
import { comparisonCollection, createEraseProblems, problemClusterCollection } from '../index.ts';

type Command = EnvelopeOf<typeof kindComparisonRequested>;
type Outcome = EnvelopeOf<typeof kindComparisonCompleted>['data']['outcome'];

const environment = useTestEnvironment();
const cleanup = useCleanup();
const [RULE] = BUILT_IN_RULES.map(({ ruleId }) => ruleId) as [string];
const [GATHERED_MS, DAY_MS] = [60_000, 24 * 3_600_000];
let service: TestService;
let projectId: string;

/** Three tellings of two problems: the first two are the same in other words, which share no stem. */
const SUM = { kind: 'refunds another amount than agreed', title: 'A refund of another amount than was agreed' };
const SUM_AGAIN = { kind: 'pays back too little money', title: 'The customer gets less money back' };
const TWICE = { kind: 'sends the parcel twice', title: 'One parcel is sent two times' };

beforeEach(async () => {
  projectId = newId('prj');
  service = await startTestService(environment);
  cleanup(() => service.stop());
  service.modelRuntime.models.set('loop/reader', {});
  service.start();
  await set({ reviewMode: 'all', reviewModel: 'loop/reader' });
});

async function set(body: object): Promise<void> {
  expect((await service.call({ method: 'PATCH', projectId, path: '/settings', body })).status).toBe(200);
}

async function read<Body>(path: string): Promise<Body> {
  const { status, body } = await service.call<Body>({ projectId, path });
  expect(status).toBe(200);
  return body;
}

const findings = async () => (await read<{ findings: Finding[] }>('/findings')).findings;
const findingOf = async ({ title }: { title: string }) => (await findings()).find((each) => each.title === title)!;
const sent = () => emittedMessages(service.database, kindComparisonRequested, projectId);
const rows = () => comparisonCollection(service.database.connection).find({ projectId }).toArray();
const clusters = () => problemClusterCollection(service.database.connection).find({ projectId }).toArray();

async function sentOnce(count: number): Promise<Command> {
  return await eventually(async () => {
    const commands = await sent();
    expect(commands).toHaveLength(count);
    return commands.at(-1)!;
  });
}

/** Has a conversation reviewed whose only problem is told in these words. */
async function told(conversationId: string, words: Partial<ReviewedProblem>): Promise<void> {
  service.clock.advance(1_000);
  const before = await emittedMessages(service.database, reviewRequested, projectId);
  await service.publisher.publish(analysisCompleted, resultOf({ projectId, conversationId, found: { [RULE]: [] } }));
  const command = await eventually(async () => {
    const after = await emittedMessages(service.database, reviewRequested, projectId);
    expect(after).toHaveLength(before.length + 1);
    return after.find(({ data }) => data.conversationId === conversationId)!;
  });
  const { hints: _, knownKinds: _kinds, capabilities: _capabilities, embeddingModel: _model, ...data } = command.data;
  const { type, version } = reviewCompleted;
  const quotes = [
    { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), stepIndex: 3, quotes: [{ quote: 'refund({"amount":30})' }] },
  ];
  const problem: ReviewedProblem = {
    ...{ category: 'wrong_argument', severity: 'high', stepIndex: 3, agent: 'support-bot', tool: 'refund' },
    ...{ sentence: 'It went wrong.', kind: '', title: '', quotes, secondLook: 'confirmed', ...words },
  };
  await service.publisher.publish(reviewCompleted, {
    ...{ id: `${type}:${command.id}`, type, version, occurredAt: 1, projectId, requestId: command.requestId },
    data: {
      ...{ ...data, calls: 2, tokens: 200 },
      outcome: {
        ...{ status: 'reviewed', wanted: 'A refund', verdict: 'failed', failureProbability: 0.9, decisiveStep: 3 },
        ...{ problems: [problem], dropped: 0, refuted: 0, isTainted: false },
        snapshot: { revision: 1, startedAt: STARTED_AT, throughMs: STARTED_AT + 1_000, agents: ['support-bot'] },
      },
    },
  });
  await eventually(async () => {
    const { reviews } = await read<{ reviews: { conversationId: string }[] }>('/reviews');
    expect(reviews.map((each) => each.conversationId)).toContain(conversationId);
  });
}

/** Answers a command as a worker does. */
async function answered({ id, data }: Command, outcome: Outcome, calls = 1): Promise<void> {
  const { kinds, capabilities: _, ...compared } = data;
  const { type, version } = kindComparisonCompleted;
  await service.publisher.publish(kindComparisonCompleted, {
    ...{ id: `${type}:${id}`, type, version, occurredAt: 1, projectId, requestId: null },
    data: {
      ...{ ...compared, calls, tokens: 50 * calls, outcome },
      newIds: kinds.filter(({ isNew }) => isNew).map((each) => each.id),
    },
  });
}

const idIn = ({ data: { kinds } }: Command, { kind }: { kind: string }) => kinds.find((each) => each.kind === kind)!.id;
const ended = () => eventually(async () => expect(await rows()).toMatchObject([{ state: 'ended' }]));

/** Has two conversations reviewed, and the model say that their problems are the same. */
async function joined(): Promise<Command> {
  await told('one', SUM);
  await told('two', { ...SUM_AGAIN, category: 'wrong_answer', tool: null });
  service.clock.advance(GATHERED_MS);
  const command = await sentOnce(1);
  await answered(command, { status: 'compared', same: [[idIn(command, SUM_AGAIN), idIn(command, SUM)]] });
  await ended();
  return command;
}

describe('problems that reviews tell in other words', () => {
  it('are one Finding once the model says that they are the same, whatever their category and tool', async () => {
    await told('one', SUM);
    await told('two', { ...SUM_AGAIN, category: 'wrong_answer', tool: null });
    await told('three', TWICE);
    expect(await sent()).toEqual([]);
    service.clock.advance(GATHERED_MS);
    const command = await sentOnce(1);
    expect(command.data).toMatchObject({
      ...{ model: 'loop/reader', round: 1 },
      kinds: [
        { ...SUM, category: 'wrong_argument', tool: 'refund', isNew: true },
        { ...SUM_AGAIN, category: 'wrong_answer', tool: null, isNew: true },
        { ...TWICE, isNew: true },
      ],
    });
    await answered(command, { status: 'compared', same: [[idIn(command, SUM_AGAIN), idIn(command, SUM)]] });
    await ended();
    expect((await findings()).map(({ title, occurrenceCount }) => [title, occurrenceCount]).toSorted()).toEqual([
      [SUM.title, 2],
      [TWICE.title, 1],
    ]);
    const { id } = await findingOf(SUM);
    const { activity } = await read<{ activity: FindingActivity[] }>(`/findings/${id}/activity`);
    expect(activity).toMatchObject([{ kind: 'merge', actor: { kind: 'service', id: 'diagnostics-svc' } }]);
  });

  it('count for it from then on, and later reviews are told the words of the first', async () => {
    await joined();
    await told('three', { ...SUM_AGAIN, category: 'wrong_answer', tool: null });
    await eventually(async () => expect(await findings()).toMatchObject([{ title: SUM.title, occurrenceCount: 3 }]));
    const [latest] = (await emittedMessages(service.database, reviewRequested, projectId)).slice(-1);
    expect(latest!.data.knownKinds).toEqual([SUM.kind]);
  });

  it('are compared once: a later comparison has new kinds to place among them', async () => {
    await joined();
    await told('three', TWICE);
    service.clock.advance(GATHERED_MS);
    const command = await sentOnce(2);
    expect(command.data.kinds).toMatchObject([
      { ...TWICE, isNew: true },
      { ...SUM, isNew: false },
    ]);
    await answered(command, { status: 'compared', same: [] });
    await ended();
    expect(await findings()).toHaveLength(2);
    expect((await clusters()).map(({ standing }) => standing).toSorted()).toEqual(['compared', 'compared', 'joined']);
  });

  it('stay apart where people have taken them apart, or have one in hand', async () => {
    await joined();
    const alias = (await clusters()).find(({ title }) => title === SUM_AGAIN.title)!;
    const [own] = (await findingOf(SUM)).mergedFindingIds;
    const unmerge = { method: 'POST', projectId, path: `/findings/${own}/unmerge` } as const;
    expect((await service.call(unmerge)).status).toBe(200);
    await told('three', TWICE);
    const twice = await findingOf(TWICE);
    const confirmed = { reviewStatus: 'confirmed' };
    const path = `/findings/${twice.id}`;
    expect((await service.call({ method: 'PATCH', projectId, path, body: confirmed })).status).toBe(200);
    service.clock.advance(GATHERED_MS);
    const command = await sentOnce(2);
    const ids = command.data.kinds.map(({ id }) => id);
    await answered(command, { status: 'compared', same: [[...ids, alias._id]] });
    await ended();
    expect((await findings()).map(({ title }) => title).toSorted()).toEqual(
      [SUM.title, SUM_AGAIN.title, TWICE.title].toSorted(),
    );
  });

  it('are joined once, however often the answer arrives', async () => {
    const command = await joined();
    const [before] = await findings();
    await answered(command, { status: 'compared', same: [[idIn(command, SUM_AGAIN), idIn(command, SUM)]] });
    await told('three', TWICE);
    expect(await findingOf(SUM)).toEqual(before);
  });

  it('wait for a model that is away and for the budget of the day, and are compared in the end', async () => {
    await set({ reviewMode: 'all', reviewModel: 'loop/reader', dailyReviews: 2 });
    await told('one', SUM);
    await told('two', SUM_AGAIN);
    service.clock.advance(GATHERED_MS);
    await eventually(async () => expect((await rows())[0]!.dueAt! - service.clock.now()).toBeGreaterThan(GATHERED_MS));
    expect(await sent()).toEqual([]);
    service.modelRuntime.models.delete('loop/reader');
    service.clock.advance(DAY_MS);
    await eventually(async () => expect(await rows()).toMatchObject([{ awaySince: expect.any(Number) }]));
    service.modelRuntime.models.set('loop/reader', {});
    const { type, version } = modelAvailabilityChanged;
    await service.publisher.publish(modelAvailabilityChanged, {
      ...{ id: newId('req'), type, version, occurredAt: 1, projectId, requestId: null },
      data: { model: 'loop/reader', available: true, reason: null },
    });
    await sentOnce(1);
  });

  it('are asked for again after a failure, and left apart after too many', async () => {
    await told('one', SUM);
    await told('two', SUM_AGAIN);
    const failure: Outcome = { status: 'later', reason: 'No answer', retryAfterMs: null, isBudget: false };
    for (let round = 1; round <= 6; round += 1) {
      service.clock.advance(DAY_MS);
      const command = await sentOnce(round);
      expect(command.data.round).toBe(round);
      await answered(command, failure, 1);
      await eventually(async () => expect((await rows())[0]!.state).not.toBe('asked'));
    }
    await ended();
    expect(await findings()).toHaveLength(2);
  });

  it('stand alone again once the conversation that told the joined one is erased', async () => {
    await joined();
    const erase = createEraseProblems(service.database);
    expect(await erase({ projectId, conversationId: 'one' })).toBe(1);
    expect(await clusters()).toMatchObject([{ title: SUM_AGAIN.title, standing: 'compared' }]);
    expect((await clusters())[0]).not.toHaveProperty('sameAs');
  });

  it('of one agent are never compared with those of another', async () => {
    await told('one', SUM);
    await told('two', { ...SUM_AGAIN, agent: 'billing-bot' });
    service.clock.advance(GATHERED_MS);
    await eventually(async () => expect(await rows()).toMatchObject([{ state: 'ended' }, { state: 'ended' }]));
    expect(await sent()).toEqual([]);
  });
});
