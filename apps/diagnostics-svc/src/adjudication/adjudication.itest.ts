import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  adjudicationCompleted,
  adjudicationRequested,
  analysisCompleted,
  type CandidateVerdict,
  type EnvelopeOf,
  type Finding,
  type RuleConfiguration,
} from '@clew/contracts';
import { newId } from '@clew/kernel';
import { deadLetterQueueOf, DEAD_EXCHANGE, QUEUES, SHARES } from '@clew/messaging';
import { BUILT_IN_RULES } from '@clew/rules';
import { eventually, useCleanup, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { analysedSnapshots } from '../test-support/analyses.ts';
import { detectionOf, resultOf, together, type ResultParts } from '../test-support/results.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { adjudicationCollection, verdictCollection } from './index.ts';

type Command = EnvelopeOf<typeof adjudicationRequested>;
type Outcome = EnvelopeOf<typeof adjudicationCompleted>['data']['outcome'];

const environment = useTestEnvironment();
const cleanup = useCleanup();
const [RULE, OTHER_RULE] = BUILT_IN_RULES.map(({ ruleId }) => ruleId) as [string, string];
const DAY_MS = 24 * 3_600_000;
let service: TestService;
let projectId: string;

beforeEach(async () => {
  projectId = newId('prj');
  service = await startTestService(environment);
  cleanup(() => service.stop());
  service.modelRuntime.models.set('service/auto', { resolvedModel: 'loop/wise' });
  service.start();
  // Reviews would look for a model as well.
  await service.call({ method: 'PATCH', projectId, path: '/settings', body: { reviewMode: 'off' } });
});

async function configure(configuration: Partial<RuleConfiguration>, ruleId = RULE): Promise<void> {
  const { status } = await service.call({
    ...{ method: 'PATCH', projectId, path: `/rules/${ruleId}`, body: { configuration } },
  });
  expect(status).toBe(200);
}

/** Publishes the findings of Rules, as a worker does. */
async function found(parts: ResultParts): Promise<void> {
  await service.publisher.publish(analysisCompleted, resultOf({ projectId, ...parts }));
}

/** Commands to judges so far, in the order of their commits. */
const commands = () => emittedMessages(service.database, adjudicationRequested, projectId);

async function commandsOnce(count: number): Promise<Command[]> {
  return await eventually(async () => {
    const sent = await commands();
    expect(sent).toHaveLength(count);
    return sent;
  });
}

/** Answers a command as a worker does. */
async function answered({ id, data, requestId }: Command, outcome: Outcome, calls = 1): Promise<void> {
  const { candidates: _, capabilities: _capabilities, ...judged } = data;
  const { type, version } = adjudicationCompleted;
  await service.publisher.publish(adjudicationCompleted, {
    ...{ id: `${type}:${id}`, type, version, occurredAt: 1, projectId, requestId },
    data: { ...judged, calls, tokens: 100 * calls, outcome },
  });
}

function verdict(cluster: string, said: CandidateVerdict['verdict']): CandidateVerdict {
  const { clusterFingerprint } = detectionOf(cluster);
  return { clusterFingerprint, verdict: said, because: 'It is', quotes: [{ stepIndex: 1, quote: cluster }] };
}

const judgedAs = (...verdicts: CandidateVerdict[]): Outcome => ({ status: 'judged', verdicts });

const work = () => adjudicationCollection(service.database.connection).find({ projectId }).toArray();
const verdicts = () => verdictCollection(service.database.connection).find({ projectId }).toArray();

async function workHasEnded(): Promise<void> {
  await eventually(async () => expect(await work()).toEqual([]));
}

async function findings(): Promise<Finding[]> {
  const { body } = await service.call<{ findings: Finding[] }>({ projectId, path: '/findings' });
  return body.findings;
}

async function allow(dailyAdjudications: number): Promise<void> {
  const body = { dailyAdjudications };
  expect((await service.call({ method: 'PATCH', projectId, path: '/settings', body })).status).toBe(200);
}

describe('what Rules found', () => {
  it('counts at once, and is put to the judge with all that the Rule found in the snapshot', async () => {
    await found({ found: { [RULE]: ['loop', 'error'], [OTHER_RULE]: [] } });
    const [command] = await commandsOnce(1);
    expect(await findings()).toHaveLength(2);
    expect(command!.data).toMatchObject({
      ...{ conversationId: 'conversation-1', rule: { ruleId: RULE }, model: 'loop/wise', accuracy: 0.9, round: 1 },
      capabilities: { jsonMode: true, jsonSchema: true, contextLength: null },
    });
    expect(command!.data.candidates.map(({ title }) => title).toSorted()).toEqual(['error', 'loop']);
    expect(command!.data.candidates[0]!.evidence).toHaveLength(1);
  });

  it('and a judge confirms is more certain, and says why; nothing is counted anew', async () => {
    await found({ found: { [RULE]: ['loop'] } });
    const [command] = await commandsOnce(1);
    const [before] = await findings();
    service.clock.advance(1_000);
    await answered(command!, judgedAs(verdict('loop', 'confirmed')));
    await workHasEnded();
    const [finding] = await findings();
    expect(finding).toMatchObject({
      ...{ id: before!.id, occurrenceCount: 1, lastDetectedAt: before!.lastDetectedAt, diagnosticConfidence: 0.9878 },
      confidenceSource: { kind: 'model', model: 'loop/wise', candidateConfidence: 0.9, because: 'It is' },
    });
    expect(before!.confidenceSource).toEqual({ kind: 'rules' });
    expect(await verdicts()).toMatchObject([{ model: 'loop/wise', ruleId: RULE, calls: 1, tokens: 100 }]);
  });

  it('and a judge refutes is withdrawn, and the analysis of the snapshot is told again', async () => {
    await found({
      found: { [RULE]: ['loop', detectionOf('error', { ruleId: RULE, severity: 'low', diagnosticScore: 0.6 })] },
    });
    const [command] = await commandsOnce(1);
    await answered(command!, judgedAs(verdict('loop', 'refuted'), verdict('error', 'none')));
    await workHasEnded();
    expect((await findings()).map(({ title }) => title)).toEqual(['error']);
    const told = await analysedSnapshots(service.database, projectId);
    expect(told.map(({ score, severity }) => ({ score, severity }))).toEqual([
      { score: 0.8, severity: 'high' },
      { score: 0.6, severity: 'low' },
    ]);
  });

  it('stands, and nobody is asked, where no model can judge', async () => {
    service.modelRuntime.models.clear();
    await found({ found: { [RULE]: ['loop'] } });
    await eventually(() => expect(service.modelRuntime.asked).toEqual(['service/auto']));
    await workHasEnded();
    expect(await commands()).toEqual([]);
    expect(await findings()).toMatchObject([{ diagnosticConfidence: 0.9, confidenceSource: { kind: 'rules' } }]);
  });

  it('stands, and not even models are looked for, where the Rule is deterministic only', async () => {
    await configure({ adjudicationMode: 'deterministic-only' });
    await found({ found: { [RULE]: ['loop'] } });
    await eventually(async () => expect(await findings()).toHaveLength(1));
    await workHasEnded();
    expect({ asked: service.modelRuntime.asked, commands: await commands() }).toEqual({ asked: [], commands: [] });
  });

  it('is put to the model that the Rule names, as it is', async () => {
    await configure({ adjudicationModel: 'loop/named' });
    service.modelRuntime.models.set('loop/named', { judgementScore: 0.5 });
    await found({ found: { [RULE]: ['loop'] } });
    expect((await commandsOnce(1))[0]!.data).toMatchObject({ model: 'loop/named', accuracy: 0.5 });
  });

  it('is never put to a model where it must not be sent anywhere', async () => {
    const secret = detectionOf('a key', { ruleId: RULE, ruleKey: 'sensitive_data_in_output' });
    await found({ found: { [RULE]: [secret] } });
    await eventually(async () => expect(await findings()).toHaveLength(1));
    expect({ work: await work(), commands: await commands() }).toEqual({ work: [], commands: [] });
  });
});

describe('what waits for judges', () => {
  const IN_HAND = QUEUES.adjudication.prefetch / SHARES;
  const late: Outcome = { status: 'later', reason: 'late', retryAfterMs: null, isBudget: false, isTimeout: true };

  /** Makes the Rule find something in that many conversations. */
  async function foundIn(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      await found({ conversationId: `chat ${index}`, found: { [RULE]: [`cluster ${index}`] } });
    }
  }

  async function waitings(): Promise<unknown[]> {
    const read = (await findings()).map(async ({ id }) => {
      const { body } = await service.call<Finding>({ projectId, path: `/findings/${id}` });
      return body.adjudicationWaiting;
    });
    return (await Promise.all(read)).filter((waiting) => waiting !== undefined);
  }

  it('is handed out up to a share of the project, says its place, and goes on with each answer', async () => {
    await foundIn(IN_HAND + 2);
    await commandsOnce(IN_HAND);
    await eventually(async () =>
      expect(await waitings()).toEqual([
        expect.objectContaining({ reason: 'places', position: expect.any(Number) }),
        expect.objectContaining({ reason: 'places', position: expect.any(Number) }),
      ]),
    );
    const [first] = await commands();
    await answered(first!, { status: 'failed', reason: 'no' });
    await commandsOnce(IN_HAND + 1);
  });

  it('is not asked about while a provider does not answer, and goes on once it answers', async () => {
    await foundIn(IN_HAND + 2);
    const sent = await commandsOnce(IN_HAND);
    for (const command of sent.slice(0, 3)) await answered(command, late, 0);
    await eventually(async () =>
      expect(await waitings()).toContainEqual(expect.objectContaining({ reason: 'provider' })),
    );
    const before = (await commands()).length;
    const [, , , other] = sent;
    await answered(other!, judgedAs());
    await eventually(async () => expect((await commands()).length).toBeGreaterThan(before));
  });
});

describe('a verdict', () => {
  it('on a snapshot that a newer one has replaced touches nothing of the newer', async () => {
    await found({ snapshot: { revision: 1 }, found: { [RULE]: ['loop'] } });
    const [first] = await commandsOnce(1);
    await found({ snapshot: { revision: 2 }, found: { [RULE]: ['loop'] } });
    await commandsOnce(2);
    await answered(first!, judgedAs(verdict('loop', 'refuted')));
    await eventually(async () => expect(await verdicts()).toHaveLength(1));
    expect(await findings()).toMatchObject([{ occurrenceCount: 1, confidenceSource: { kind: 'rules' } }]);
  });

  it('on what an earlier configuration of the Rule found touches nothing that a later one shows', async () => {
    await found({ found: { [RULE]: ['loop'] } });
    const [first] = await commandsOnce(1);
    await found({ revisions: { [RULE]: '2' }, found: { [RULE]: ['loop'] } });
    const [, second] = await commandsOnce(2);
    expect(second!.data.rule).toEqual({ ruleId: RULE, revision: '2' });
    await answered(first!, judgedAs(verdict('loop', 'refuted')));
    await eventually(async () => expect(await verdicts()).toHaveLength(1));
    expect(await findings()).toHaveLength(1);
    await answered(second!, judgedAs(verdict('loop', 'refuted')));
    await workHasEnded();
    expect(await findings()).toEqual([]);
  });

  it('takes effect once, however often it comes', async () => {
    await found({ found: { [RULE]: ['loop'] } });
    const [command] = await commandsOnce(1);
    for (let time = 0; time < 3; time += 1) await answered(command!, judgedAs(verdict('loop', 'confirmed')));
    await workHasEnded();
    await eventually(async () => expect(await findings()).toMatchObject([{ diagnosticConfidence: 0.9878 }]));
    expect(await verdicts()).toHaveLength(1);
  });

  it('is kept: the same snapshot, shown again, is judged by it and never paid for twice', async () => {
    const part = { conversationId: 'a part', snapshot: { scope: 'prefix' as const } };
    await found({ ...part, found: { [RULE]: ['loop'] } });
    const [command] = await commandsOnce(1);
    await answered(command!, judgedAs(verdict('loop', 'refuted')));
    await workHasEnded();
    await found({ ...part, found: { [RULE]: ['loop'], [OTHER_RULE]: ['another'] } });
    expect((await commandsOnce(2))[1]!.data.rule.ruleId).toBe(OTHER_RULE);
    await eventually(async () => expect((await findings()).map(({ title }) => title)).toEqual(['another']));
  });

  it('that a judge cannot give for good leaves the Finding as it is', async () => {
    await found({ found: { [RULE]: ['loop'] } });
    const [command] = await commandsOnce(1);
    await answered(command!, { status: 'failed', reason: 'The model gave no valid answer' }, 2);
    await workHasEnded();
    expect(await findings()).toMatchObject([{ confidenceSource: { kind: 'rules' } }]);
    expect(await verdicts()).toEqual([]);
  });
});

describe('a judge that fails for a while', () => {
  const later = (isBudget = false, retryAfterMs: number | null = null): Outcome => ({
    ...{ status: 'later', reason: 'The call of the model failed: UNAVAILABLE', retryAfterMs, isBudget },
  });

  it('is asked again after the time that it asked for, and no longer after some failures', async () => {
    await found({ found: { [RULE]: ['loop'] } });
    for (let round = 1; round <= 6; round += 1) {
      const sent = await commandsOnce(round);
      expect(sent.at(-1)!.data.round).toBe(round);
      await answered(sent.at(-1)!, later(false, 7_200_000));
      if (round === 6) break;
      await eventually(async () => expect(await work()).toMatchObject([{ state: 'due', failures: round }]));
      service.clock.advance(7_200_000);
    }
    await workHasEnded();
    expect(await findings()).toHaveLength(1);
  });

  it('for want of the tokens of the day is asked on the next one, however many days that takes', async () => {
    await found({ found: { [RULE]: ['loop'] } });
    for (let round = 1; round <= 7; round += 1) {
      const sent = await commandsOnce(round);
      await answered(sent.at(-1)!, later(true), 0);
      await eventually(async () => expect(await work()).toMatchObject([{ state: 'due', failures: 0 }]));
      service.clock.advance(DAY_MS);
    }
    await commandsOnce(8);
  });

  it('with its whole runtime is waited for', async () => {
    service.modelRuntime.isAway = true;
    await found({ found: { [RULE]: ['loop'] } });
    await eventually(async () => expect(await work()).toMatchObject([{ attempts: 1, leaseUntil: 0 }]));
    service.modelRuntime.isAway = false;
    service.clock.advance(60_000);
    await commandsOnce(1);
  });
});

describe('the budget of a day', () => {
  it('that is used up parks what is left until the next day', async () => {
    await allow(2);
    await service.publisher.publish(
      analysisCompleted,
      together(
        ['one', 'two', 'three'].map((conversationId) =>
          resultOf({ projectId, conversationId, found: { [RULE]: ['loop'] } }),
        ),
      ),
    );
    await commandsOnce(2);
    await eventually(async () =>
      expect((await work()).map(({ state }) => state).toSorted()).toEqual(['asked', 'asked', 'due']),
    );
    const [parked] = (await work()).filter(({ state }) => state === 'due');
    expect(parked!.dueAt! % DAY_MS).toBe(0);
    expect((await findings())[0]).toMatchObject({ occurrenceCount: 3 });
    service.clock.advance(DAY_MS - 1_000);
    await commandsOnce(3);
  });

  it('that is raised brings back at once what waits for it', async () => {
    await allow(0);
    await found({ found: { [RULE]: ['loop'] } });
    await eventually(async () => expect((await work())[0]?.dueAt).toBeGreaterThan(service.clock.now()));
    expect(await commands()).toEqual([]);
    await allow(1);
    await commandsOnce(1);
  });

  it('counts the calls that were made: a repair is one more, and what made none gives its own back', async () => {
    await allow(3);
    await found({ conversationId: 'one', found: { [RULE]: ['loop'] } });
    const [first] = await commandsOnce(1);
    await answered(first!, { status: 'failed', reason: 'The snapshot no longer exists' }, 0);
    await workHasEnded();
    await found({ conversationId: 'two', found: { [RULE]: ['loop'] } });
    await answered((await commandsOnce(2))[1]!, judgedAs(verdict('loop', 'confirmed')), 2);
    await workHasEnded();
    await found({ conversationId: 'three', found: { [RULE]: ['loop'] } });
    await commandsOnce(3);
    await found({ conversationId: 'four', found: { [RULE]: ['loop'] } });
    await eventually(async () => expect((await work()).map(({ state }) => state)).toContain('due'));
    expect(await commands()).toHaveLength(3);
  });
});

it('a command that ended in the dead letters is waited for no longer', async () => {
  await found({ found: { [RULE]: ['loop'] } });
  const [command] = await commandsOnce(1);
  const channel = await service.broker.openChannel();
  channel.publish(DEAD_EXCHANGE, QUEUES.adjudication.name, Buffer.from(JSON.stringify(command)), { persistent: true });
  await channel.waitForConfirms();
  await workHasEnded();
  await channel.purgeQueue(deadLetterQueueOf(QUEUES.adjudication.name));
  await channel.close();
  expect(await findings()).toHaveLength(1);
});
