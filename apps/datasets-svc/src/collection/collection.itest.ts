import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  collectionCompleted,
  findingChanged,
  snapshotAnalysed,
  type collectionRequested,
  type CollectionDecision,
  type Dataset,
  type EnvelopeOf,
  type Example,
  type REVIEW_STATUSES,
} from '@clew/contracts';
import { derivedId, newId, sha256Hex, systemClock } from '@clew/kernel';
import { consume, QUEUES, startRelay, type Consumer, type Relay } from '@clew/messaging';
import { eventually, silentLogger, useTestEnvironment } from '@clew/testing';
import { startTestService, type TestService } from '../test-support/service.ts';
import { reviewCollection } from './reviews.ts';

type Command = EnvelopeOf<typeof collectionRequested>;
type Looked = EnvelopeOf<typeof collectionCompleted>['data']['looks'][number];
type Subject = Extract<Looked['subject'], { kind: 'conversation' }>;

const environment = useTestEnvironment();
const LONG = { timeoutMs: 20_000 };
const OBJECTIVE = { collectionObjective: 'preserve_successful_behavior' } as const;
const FINDING = 'fnd_1';
let service: TestService;
let worker: Consumer;
let relay: Relay;
/** Answer of the worker to one conversation; by default it collects the answer of the snapshot. */
let look: (asked: Subject, datasetId: string) => Pick<Looked, 'outcome' | 'problems'>;
let commands: Command[];

beforeAll(async () => {
  service = await startTestService(environment, { clock: systemClock });
  service.start();
  relay = startRelay({ database: service.database, publisher: service.publisher, logger: silentLogger() });
  worker = consume({
    ...{ broker: service.broker, logger: silentLogger(), queue: QUEUES.collection },
    async handle(command) {
      commands.push(command);
      await service.publisher.publish(collectionCompleted, answerTo(command));
    },
  });
});

afterAll(async () => {
  await worker.stop();
  await relay.stop();
  await service.stop();
});

function answerTo({ id, projectId, data }: Command): EnvelopeOf<typeof collectionCompleted> {
  const { type, version } = collectionCompleted;
  return {
    ...{ id: `${type}:${sha256Hex(id)}`, type, version, occurredAt: Date.now(), projectId, requestId: null },
    data: {
      ...{ datasetId: data.datasetId, objective: data.objective },
      looks: data.looks.map((asked) => ({ ...asked, ...look(asked.subject as Subject, data.datasetId) })),
    },
  };
}

/** Collects one Example at a step, which the snapshot names. */
function collected(conversationId: string, step: string): Pick<Looked, 'outcome' | 'problems'> {
  const derivationKey = `preserve_successful_behavior:${sha256Hex(`${conversationId} ${step}`).slice(0, 32)}`;
  const example = {
    payload: { input: { type: 'text', text: `${conversationId} ${step}` } },
    source: { conversationId, derivationKey, kind: 'conversation', traceIds: ['a'.repeat(32)] },
    tags: ['collected'],
  };
  const examples = [{ derivationKey, example }];
  return { problems: [], outcome: { status: 'collected', because: 'confirmation', examples, redacted: 0 } };
}

const refused = (reviewStatus: (typeof REVIEW_STATUSES)[number]): Pick<Looked, 'outcome' | 'problems'> => ({
  problems: [problem(reviewStatus)],
  outcome: { status: 'refused', reason: 'open_problem' },
});

/** Project with one collecting Dataset, and a worker that collects the step that each snapshot names. */
async function collecting(settings: object = OBJECTIVE) {
  const projectId = newId('prj');
  const { dataset, path } = await service.newDataset(projectId, settings);
  commands = [];
  look = ({ conversationId, snapshotId }) => collected(conversationId, snapshotId);
  return {
    ...{ projectId, dataset, path },
    examples: async () =>
      (await service.call<{ examples: Example[] }>({ projectId, path: `${path}/examples` })).body.examples,
    async decisions(query = '') {
      const found = await service.call<{ decisions: CollectionDecision[] }>({
        ...{ projectId, path: `${path}/collection/decisions?limit=1000${query}` },
      });
      return found.body.decisions;
    },
    async count() {
      return (await service.call<Dataset>({ projectId, path })).body.exampleCount;
    },
  };
}

type Collecting = Awaited<ReturnType<typeof collecting>>;

const snapshotOf = (conversationId: string, revision: number) => derivedId('cesr', conversationId, `${revision}`);

type AnalysedSnapshot = EnvelopeOf<typeof snapshotAnalysed>['data']['snapshots'][number];

function analysedMessage(
  projectId: string,
  conversationId: string,
  revision: number,
  signs: Pick<AnalysedSnapshot, 'missingSuccess' | 'openProblems'> = {},
) {
  const { type, version } = snapshotAnalysed;
  const snapshotId = snapshotOf(conversationId, revision);
  const nothing = { analysed: true, score: null, severity: null, findingIds: [], unknownRules: 0 };
  return {
    ...{ id: `${type}:${projectId}:${snapshotId}`, type, version, occurredAt: 1, projectId, requestId: null },
    data: { snapshots: [{ conversationId, snapshotId, ...nothing, ...signs }] },
  };
}

async function tell(
  { projectId }: Collecting,
  conversationId: string,
  revision = 1,
  signs: Parameters<typeof analysedMessage>[3] = {},
): Promise<void> {
  await service.publisher.publish(snapshotAnalysed, analysedMessage(projectId, conversationId, revision, signs));
}

const problem = (reviewStatus: (typeof REVIEW_STATUSES)[number], findingId = FINDING) => {
  return { findingId, severity: 'high' as const, reviewStatus };
};

async function review(
  { projectId }: Collecting,
  reviewStatus: (typeof REVIEW_STATUSES)[number],
  { sequence = 1, findingId = FINDING } = {},
): Promise<void> {
  const { type, version } = findingChanged;
  await service.publisher.publish(findingChanged, {
    ...{ id: `${type}:${projectId}:${findingId}:${sequence}`, type, version, occurredAt: 1, projectId },
    requestId: null,
    data: {
      findings: [
        {
          ...{ findingId, ruleId: 'r', ruleKey: 'r', categoryKey: 'c', reviewStatus, sequence },
          ...{ resolutionStatus: 'unresolved', severity: 'high', listed: true, occurrenceCount: 1 },
          conversationId: 'one',
        },
      ],
    },
  });
}

/** Reviews a Finding, and waits until the service remembers it. */
async function reviewed(of: Collecting, reviewStatus: (typeof REVIEW_STATUSES)[number], findingId: string) {
  await review(of, reviewStatus, { findingId });
  const remembered = { _id: findingId, projectId: of.projectId };
  await eventually(async () => {
    expect(await reviewCollection(service.database).countDocuments(remembered)).toBe(1);
  }, LONG);
}

/** Conversations of a project that the worker was asked to look at, in their order. */
function lookedAt({ projectId }: Collecting): string[] {
  const own = commands.filter((command) => command.projectId === projectId);
  return own.flatMap(({ data }) => data.looks.map(({ subject }) => (subject as Subject).conversationId));
}

function untilDecided(of: Collecting, conversationId: string, wanted: Partial<CollectionDecision>) {
  return eventually(async () => {
    const [decision] = await of.decisions(`&conversationId=${conversationId}`);
    expect(decision).toMatchObject(wanted);
  }, LONG);
}

describe('an analysed conversation', () => {
  it('is collected once for each Dataset that collects, however often it is told', async () => {
    const of = await collecting();
    const off = await service.newDataset(of.projectId, { ...OBJECTIVE, collectionEnabled: false });
    for (let time = 0; time < 3; time += 1) await tell(of, 'one');
    await untilDecided(of, 'one', { outcome: 'collected', because: 'confirmation', reason: null });
    expect((await of.examples()).map(({ source }) => source.conversationId)).toEqual(['one']);
    expect(await of.count()).toBe(1);
    expect(commands.map(({ data }) => data.datasetId)).not.toContain(off.dataset.id);
  });

  it('is looked at again once a person has reviewed what it shows, and only then', async () => {
    const of = await collecting();
    look = () => refused('unreviewed');
    await tell(of, 'one');
    await untilDecided(of, 'one', { outcome: 'refused', reason: 'open_problem', exampleIds: [] });
    look = ({ conversationId }) => collected(conversationId, 'excused');
    await review(of, 'unreviewed');
    await tell(of, 'two');
    await untilDecided(of, 'two', { outcome: 'collected' });
    expect(lookedAt(of)).toEqual(['one', 'two']);
    await review(of, 'dismissed', { sequence: 2 });
    await untilDecided(of, 'one', { outcome: 'collected' });
  });

  it('against which a problem stands is refused without a look, and looked at once that is dismissed', async () => {
    const of = await collecting();
    const findingId = `fnd_${of.projectId}`;
    const openProblems = [problem('confirmed', findingId)];
    await tell(of, 'two');
    await untilDecided(of, 'two', { outcome: 'collected' });
    await tell(of, 'one', 1, { openProblems });
    await untilDecided(of, 'one', { outcome: 'refused', reason: 'open_problem', exampleIds: [] });
    expect(lookedAt(of)).toEqual(['two']);
    // Examples of before may have to be marked as stale, so that conversation is looked at.
    look = () => ({ problems: openProblems, outcome: { status: 'refused', reason: 'open_problem' } });
    await tell(of, 'two', 2, { openProblems });
    await untilDecided(of, 'two', { outcome: 'stale', reason: 'open_problem' });
    look = ({ conversationId, snapshotId }) => collected(conversationId, snapshotId);
    await review(of, 'dismissed', { findingId });
    await untilDecided(of, 'one', { outcome: 'collected' });
    await untilDecided(of, 'two', { outcome: 'replaced' });
    expect(lookedAt(of).slice(0, 2)).toEqual(['two', 'two']);
    expect(lookedAt(of).slice(2).toSorted()).toEqual(['one', 'two']);
  });

  it('is looked at if its problem was dismissed before its analysis was read', async () => {
    const of = await collecting();
    const findingId = `fnd_${of.projectId}`;
    await reviewed(of, 'dismissed', findingId);
    await tell(of, 'one', 1, { openProblems: [problem('unreviewed', findingId)] });
    await untilDecided(of, 'one', { outcome: 'collected' });
    expect(lookedAt(of)).toEqual(['one']);
  });

  it.each(['dismissed', 'confirmed'] as const)(
    'is looked at again if its problem was %s during the look',
    async (now) => {
      const of = await collecting();
      const findingId = `fnd_${of.projectId}`;
      let before = true;
      look = ({ conversationId }) => {
        const first = before;
        before = false;
        const status = first ? (now === 'dismissed' ? 'unreviewed' : 'dismissed') : now;
        const problems = [problem(status, findingId)];
        if (status === 'dismissed') return { ...collected(conversationId, 'excused'), problems };
        return { problems, outcome: { status: 'refused', reason: 'open_problem' } };
      };
      await reviewed(of, now, findingId);
      await tell(of, 'one');
      await untilDecided(of, 'one', { outcome: now === 'dismissed' ? 'collected' : 'stale' });
      expect(lookedAt(of)).toEqual(['one', 'one']);
    },
  );

  it('that shows no success is refused without a look, unless something was collected from it', async () => {
    const of = await collecting();
    const missingSuccess = 'no_success_signal' as const;
    const silent = (conversationId: string, revision: number) => tell(of, conversationId, revision, { missingSuccess });
    await tell(of, 'two');
    await untilDecided(of, 'two', { outcome: 'collected' });
    await silent('one', 1);
    await untilDecided(of, 'one', { outcome: 'refused', reason: 'no_success_signal', exampleIds: [] });
    look = () => ({ problems: [], outcome: { status: 'refused', reason: 'no_success_signal' } });
    await silent('two', 2);
    await untilDecided(of, 'two', { outcome: 'stale', reason: 'no_success_signal' });
    look = ({ conversationId, snapshotId }) => collected(conversationId, snapshotId);
    await tell(of, 'one', 2);
    await untilDecided(of, 'one', { outcome: 'collected' });
    expect(lookedAt(of)).toEqual(['two', 'two', 'one']);
  });

  it('of which no Example can be made is refused alone', async () => {
    const of = await collecting();
    look = ({ conversationId }) => {
      const found = collected(conversationId, 'step');
      if (conversationId === 'good' || found.outcome.status !== 'collected') return found;
      const [{ derivationKey, example }] = found.outcome.examples as [{ derivationKey: string; example: object }];
      const text = conversationId === 'half' ? 'half a character: \ud800' : undefined;
      const broken = { ...example, payload: { input: { type: 'text', text } } };
      return { ...found, outcome: { ...found.outcome, examples: [{ derivationKey, example: broken }] } };
    };
    for (const name of ['half', 'none', 'good']) await tell(of, name);
    await untilDecided(of, 'good', { outcome: 'collected' });
    for (const name of ['half', 'none'])
      await untilDecided(of, name, { outcome: 'refused', reason: 'example_invalid', exampleIds: [] });
    expect(await of.count()).toBe(1);
  });

  it('is redacted unless the Dataset says otherwise', async () => {
    const of = await collecting();
    const plain = await service.newDataset(of.projectId, { ...OBJECTIVE, collectedRedaction: 'off' });
    await tell(of, 'one');
    await eventually(() => expect(commands).toHaveLength(2), LONG);
    expect(commands.map(({ data }) => [data.datasetId, data.redaction]).toSorted()).toEqual(
      [
        [of.dataset.id, true],
        [plain.dataset.id, false],
      ].toSorted(),
    );
  });

  it('whose Example a person deleted is never collected again', async () => {
    const of = await collecting();
    await tell(of, 'one');
    await untilDecided(of, 'one', { outcome: 'collected' });
    const [example] = await of.examples();
    const gone = { method: 'DELETE', projectId: of.projectId, path: `${of.path}/examples/${example!.id}` } as const;
    expect((await service.call(gone)).status).toBe(204);
    await untilDecided(of, 'one', { outcome: 'removed_by_hand', exampleIds: [] });
    look = ({ conversationId }) => collected(conversationId, snapshotOf('one', 1));
    await tell(of, 'one', 2);
    await eventually(() => expect(commands).toHaveLength(2), LONG);
    await tell(of, 'two');
    await untilDecided(of, 'two', { outcome: 'collected' });
    expect(await of.decisions('&outcome=removed_by_hand')).toHaveLength(1);
    expect((await of.examples()).map(({ source }) => source.conversationId)).toEqual(['two']);
  });

  it('that was answered after the policy had changed adds nothing', async () => {
    const of = await collecting();
    const late = { command: undefined as Command | undefined };
    look = ({ conversationId, snapshotId }) => collected(conversationId, snapshotId);
    const removed = {
      method: 'PATCH',
      projectId: of.projectId,
      path: of.path,
      body: { collectionEnabled: false },
    } as const;
    await tell(of, 'one');
    await untilDecided(of, 'one', { outcome: 'collected' });
    late.command = commands[0];
    expect((await service.call(removed)).status).toBe(200);
    const again = answerTo(late.command!);
    await service.publisher.publish(collectionCompleted, { ...again, id: `${again.id}:again` });
    await tell(of, 'two');
    const other = await collecting();
    await tell(other, 'three');
    await untilDecided(other, 'three', { outcome: 'collected' });
    expect(await of.count()).toBe(1);
  });
});

describe('any order of announcements, told any number of times', () => {
  it('ends with one Example for each conversation, that of its latest snapshot or of none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 20 }), async (told) => {
        const of = await collecting();
        for (const conversationId of told) await tell(of, conversationId);
        const names = [...new Set(told)].toSorted();
        for (const name of names) await untilDecided(of, name, { outcome: 'collected' });
        const examples = await of.examples();
        expect(examples.map(({ source }) => source.conversationId!).toSorted()).toEqual(names);
        expect(await of.count()).toBe(names.length);
      }),
      { numRuns: 5 },
    );
  });
});
