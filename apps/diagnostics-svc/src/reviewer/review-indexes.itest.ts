import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import { createCircuits, createProjectTurns, createScheduledTasks, type Database } from '@clew/persistence';
import { explainSent, fixedClock, monitored, useTestEnvironment } from '@clew/testing';
import { createBudgetStore } from '../adjudication/budget.store.ts';
import { detectionOf, resultOf, STARTED_AT } from '../test-support/results.ts';
import { openTestDatabase, resultsServiceOn } from '../test-support/service.ts';
import { addAgents } from './add-agents.ts';
import { createComparisonStore } from './comparisons/index.ts';
import { createEraseProblems } from './erase-problems.ts';
import { moveUsage } from './move-usage.ts';
import { createProblemClusterStore } from './problem-clusters.store.ts';
import { createReviewDayStore } from './review-days.store.ts';
import { CONVERSATION_REVIEW } from './review-rule.ts';
import { createReviewRecordStore } from './review-records.store.ts';
import { problemClusterCollection, reviewCollection, reviewDayCollection } from './reviews.model.ts';
import { createReviewStore, reviewIdOf, type KeptReview, type WantedReview } from './reviews.store.ts';
import { NO_COUNTS } from './sampling.ts';

const REVIEWS = 2_000;
const LIMIT = 21;

const environment = useTestEnvironment();
const projectId = newId('prj');
const otherProjectId = newId('prj');
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  const reviews = createReviewStore(database);
  // The newer half was read, a tenth belongs to another project, and every third was drawn at random.
  const wanted = Array.from({ length: REVIEWS }, (_, index) => wantedReview(index));
  await database.withTransaction((tx) => reviews.want(tx, wanted));
  const read = wanted.slice(REVIEWS / 2).map(keptReview);
  await database.withTransaction((tx) => reviews.keep(tx, read));
}, 60_000);

afterAll(() => database.close());

const projectOf = (index: number) => (index % 10 === 0 ? otherProjectId : projectId);

function wantedReview(index: number): WantedReview {
  return {
    ...{ projectId: projectOf(index), conversationId: `chat ${index}`, snapshotId: `cesr_${index}`, requestId: null },
    ...{ chosenBy: index % 3 === 0 ? 'random' : 'score', inclusion: index % 3 === 0 ? 0.5 : null },
    dueAt: STARTED_AT + index,
  };
}

function keptReview({ projectId: project, conversationId, snapshotId }: WantedReview, index: number): KeptReview {
  return {
    ...{ id: reviewIdOf(project, conversationId), startedAt: STARTED_AT + index, agents: ['bot'] },
    reviewedAt: STARTED_AT + index,
    result: {
      ...{ snapshotId, revision: 1, model: 'loop/reader', verdict: 'failed', failureProbability: 0.9, wanted: '' },
      ...{ problemCount: 0, suspects: [], dropped: 0, refuted: 0, isTainted: false, calls: 1, tokens: 1 },
    },
  };
}

describe('the lists of reviews and of their days', () => {
  it('are ordered by their indexes, and no more is read than a page', async () => {
    const records = createReviewRecordStore(database);
    const days = reviewDayCollection(database.connection);
    const blank = { ready: 0, random: 0, byScore: 0, scores: [] };
    const documents = Array.from({ length: 60 }, (_, day) => {
      const project = projectOf(day);
      return { _id: `${project}:${day}`, projectId: project, day, ...blank };
    });
    await days.insertMany(documents);
    const usage = { reviewed: 1, calls: 2, tokens: 3 };
    await database.withTransaction((tx) => createReviewDayStore(database).addUsage(tx, projectId, usage, 0));
    const last = STARTED_AT + 500;
    const reads = [
      () => records.list(projectId, { limit: LIMIT, after: undefined }),
      () => records.list(projectId, { limit: LIMIT, after: [last, reviewIdOf(projectId, 'chat 1500')] }),
      () => records.days(projectId, { limit: LIMIT, after: undefined }),
      () => records.days(projectId, { limit: LIMIT, after: [50] }),
    ];
    for (const read of reads) {
      const [query] = await explainSent(database, read);
      const { nReturned, totalDocsExamined } = query!.stats;
      expect({ nReturned, totalDocsExamined }).toEqual({ nReturned: LIMIT + 1, totalDocsExamined: LIMIT + 1 });
    }
  });

  it('are counted for the failure rate by the index of the conversations that were drawn at random', async () => {
    const records = createReviewRecordStore(database);
    const window = { startMs: STARTED_AT, endMs: STARTED_AT + 300 };
    const [query] = await explainSent(database, () => records.random(projectId, window));
    expect(query!.plan).toMatch(/^aggregate reviews: .*FETCH <- IXSCAN/);
  });

  it('name the review that waits the longest from their index', async () => {
    const reviews = createReviewStore(database);
    for (const some of [{}, { conversationId: 'chat 1' }]) {
      const [query] = await explainSent(database, () => reviews.waiting(projectId, some, STARTED_AT + REVIEWS));
      expect(query!.stats).toMatchObject({ nReturned: 1, totalDocsExamined: 1 });
    }
  });
});

describe('every other command of the reviewer', () => {
  it('finds what it wants by an index when reviews are wanted, asked for, put back, ended and released', async () => {
    const reviews = createReviewStore(database);
    const days = createReviewDayStore(database);
    const budgets = createBudgetStore(database, 'review');
    const collection = reviewCollection(database.connection);
    const tasks = createScheduledTasks(collection, { leaseMs: 60_000 });
    const turns = createProjectTurns({ collection, rows: tasks, capacity: () => ({ total: 5, ofProject: 5 }) });
    const circuits = createCircuits(database);
    const nowMs = STARTED_AT + REVIEWS;
    await database.withTransaction((tx) => circuits.timedOut(tx, `${projectId}/loop`, 3, nowMs));
    const plans = await explainSent(database, async () => {
      await tasks.makeDue({ projectId, state: 'due' }, nowMs);
      await tasks.makeDue({ projectId, state: 'due', awaySince: { $gt: 0 } }, nowMs);
      await turns.placeOf(projectId, { conversationId: 'chat 1' }, nowMs);
      const claimed = await tasks.claim(nowMs, 2);
      const [first, second] = claimed;
      await database.withTransaction(async (tx) => {
        await turns.roomOf(tx, projectId, nowMs);
        await reviews.snapshotsOf(tx, projectId, ['chat 1', 'chat 2']);
        await reviews.getMany(tx, [first!._id]);
        await reviews.get(tx, first!._id);
        await reviews.noteAway(tx, first!._id, nowMs);
        await reviews.asked(tx, [first!]);
        await reviews.putBack(tx, first!._id, { dueAt: nowMs, failures: 1 });
        await reviews.endAsked(tx, first!._id);
        await reviews.end(tx, [second!]);
        await days.load(tx, projectId, nowMs);
        await days.saveCounts(tx, projectId, NO_COUNTS, nowMs);
        await days.addUsage(tx, projectId, { reviewed: 1, calls: 1, tokens: 1 }, nowMs);
        await budgets.reserve(tx, projectId, 1, 2, nowMs);
        await budgets.correct(tx, projectId, -1, nowMs);
      });
      await circuits.isAnyOpen(projectId, nowMs);
      await collection.countDocuments({ projectId, state: 'due' }, { limit: 10 });
    });
    expect(plans.length).toBeGreaterThan(15);
  });

  it('finds what it wants by an index when reviews are read, shown, and erased', async () => {
    const records = createReviewRecordStore(database);
    const plans = await explainSent(database, async () => {
      await records.of(projectId, 'chat 1501');
      await records.ofMany(projectId, ['chat 1501', 'chat 1502']);
      await reviewCollection(database.connection).deleteMany({ projectId, conversationId: 'chat 1999' });
    });
    expect(plans).toHaveLength(3);
  });

  it('finds what it wants by an index when problems find their clusters, and the most frequent are told', async () => {
    const clusters = createProblemClusterStore(database);
    const problem = { category: 'wrong_argument' as const, agent: 'bot', tool: 'refund' };
    const texts = ['refunds another amount', 'cancels a foreign order', 'refunds another amount'];
    const plans = await explainSent(database, () =>
      database.withTransaction(async (tx) => {
        const problems = texts.map((text) => ({ ...problem, kind: text, title: text }));
        const loaded = await clusters.load(tx, projectId, problems, STARTED_AT);
        expect(problems.map((each) => loaded.assign('chat 1', each).title)).toEqual(texts);
        await loaded.save();
        expect(await clusters.knownKinds(tx, projectId, 5)).toEqual(texts.slice(0, 2));
      }),
    );
    expect(plans.length).toBeGreaterThan(2);
  });

  it('finds what it wants by an index when kinds of problems are compared, and joined', async () => {
    const clusters = createProblemClusterStore(database);
    const comparisons = createComparisonStore(database);
    const bot = { projectId, agent: 'bot' };
    const texts = ['deletes a draft', 'forgets a name', 'invents a law'];
    const problems = texts.map((text) => ({
      ...{ category: 'other' as const, agent: 'bot', tool: null, kind: text, title: text },
    }));
    await database.withTransaction(async (tx) => {
      const loaded = await clusters.load(tx, projectId, problems, STARTED_AT);
      for (const each of problems) loaded.assign('chat 1', each);
      expect(await loaded.save()).toEqual(['bot']);
    });
    await explainSent(database, () =>
      database.withTransaction(async (tx) => {
        await comparisons.want(tx, projectId, ['bot', null], STARTED_AT);
        const kinds = await clusters.toCompare(tx, bot, 10);
        expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(texts));
        const [first, second] = kinds.map(({ id }) => id);
        expect(await clusters.alone(tx, projectId, [first!, second!])).toHaveLength(2);
        await clusters.markCompared(tx, projectId, [first!, second!]);
        await clusters.markJoined(tx, projectId, [{ id: second!, into: first! }]);
        expect(await clusters.alone(tx, projectId, [first!, second!])).toHaveLength(1);
        const left = await clusters.toCompare(tx, bot, 10);
        expect(left.find(({ id }) => id === first)).toMatchObject({ isNew: false });
        expect(left.map(({ id }) => id)).not.toContain(second);
      }),
    );
  });

  it('names the agents of clusters that were made before comparisons, by their buckets', async () => {
    const stored = problemClusterCollection(database.connection);
    const bucketOf = (agent: string) => JSON.stringify(['other', agent, '']);
    const meaning = { conversationId: 'old', title: '', kind: '', count: 1, stems: {}, vectors: [], createdAt: 1 };
    const older = ['bot', ''].map((agent) => ({ _id: `old ${agent}`, projectId, bucket: bucketOf(agent), ...meaning }));
    await stored.insertMany(older as never);
    await addAgents(database.connection);
    const named = await stored.find({ projectId, conversationId: 'old' }).sort({ _id: 1 }).toArray();
    expect(named.map(({ agent }) => agent)).toEqual([null, 'bot']);
  });

  it('moves the cost of earlier reviews out of the documents of their days', async () => {
    const days = reviewDayCollection(database.connection);
    const project = newId('prj');
    const earlier = { _id: `${project}:7`, projectId: project, day: 7, ready: 5, random: 1, byScore: 1, scores: [] };
    await days.insertOne({ ...earlier, reviewed: 2, calls: 3, tokens: 40 } as never);
    await moveUsage(database.connection);
    await moveUsage(database.connection);
    expect(await days.findOne({ _id: earlier._id })).toEqual(earlier);
    const { items } = await createReviewRecordStore(database).days(project, { limit: 1, after: undefined });
    expect(items).toMatchObject([{ day: 7, ready: 5, reviewed: 2, calls: 3, tokens: 40 }]);
  });

  it('finds what it wants by an index when the words of a conversation leave their cluster', async () => {
    const { ruleId } = CONVERSATION_REVIEW;
    const titled = (title: string) =>
      detectionOf('wrong amount', {
        ...{ ruleId, title },
        confidenceSource: {
          ...{ kind: 'review', model: 'loop/reader', accuracy: 0.9, secondLook: 'confirmed', because: '' },
          ...{ problem: { kind: title, title }, quotes: [], calls: 1, tokens: 1 },
        },
      });
    const take = resultsServiceOn(database, fixedClock(STARTED_AT));
    for (const conversationId of ['gone', 'kept'])
      await take([resultOf({ projectId, conversationId, found: { [ruleId]: [titled(conversationId)] } })]);
    const { clusterFingerprint: _id } = titled('gone');
    const meaning = { title: 'gone', kind: 'gone', count: 2, stems: {}, vectors: [] };
    await problemClusterCollection(database.connection).insertOne({
      ...{ _id, projectId, bucket: '', agent: null, standing: 'new', conversationId: 'gone', ...meaning, createdAt: 1 },
    });
    const erase = createEraseProblems(database);
    const plans = await explainSent(database, () => erase({ projectId, conversationId: 'gone' }));
    expect(plans.map(({ plan }) => plan.split(':')[0])).toEqual(
      expect.arrayContaining(['update occurrences', 'update problem_clusters']),
    );
  });
});
