import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { snapshotAnalysed } from '@clew/contracts';
import { newId } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { fixedClock, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { findingCollection, occurrenceModel } from '../findings/finding.model.ts';
import { findingIdOf } from '../findings/occurrence.ts';
import { analysedSnapshots, analysesOf, runsOf, storeQueued } from '../test-support/analyses.ts';
import { detectionOf, resultOf, STARTED_AT, type CompletedMessage, type ResultParts } from '../test-support/results.ts';
import { openTestDatabase, resultsServiceOn } from '../test-support/service.ts';
import { resultMessageOf } from './analysis-result.ts';

const environment = useTestEnvironment();
const clock = fixedClock(STARTED_AT);
let database: Database;
let take: (batch: readonly CompletedMessage[]) => Promise<void>;

beforeAll(async () => {
  database = await openTestDatabase(environment);
  take = resultsServiceOn(database, clock);
});

afterAll(() => database.close());

describe('the runs of a result', () => {
  const parts = (projectId: string) =>
    ({ projectId, found: { rule_a: ['loop'], rule_b: 'failed', rule_c: 'skipped' } }) satisfies ResultParts;

  it('end as the worker says, once', async () => {
    const projectId = newId('prj');
    await take([resultOf(parts(projectId))]);
    const endedAt = clock.now();
    clock.advance(1_000);
    await take([resultOf({ projectId, found: { rule_a: 'failed', rule_c: ['error'] } })]);
    expect(await analysesOf(database, projectId)).toMatchObject([{ endedAt }]);
    expect(await runsOf(database, projectId)).toMatchObject([
      { ruleId: 'rule_a', state: 'succeeded', reason: null },
      { ruleId: 'rule_b', state: 'failed', reason: 'it failed' },
      { ruleId: 'rule_c', state: 'skipped', reason: 'it skipped' },
    ]);
  });

  it('end also where the result of a conversation comes in several messages, and all of them once it has come', async () => {
    const projectId = newId('prj');
    const whole = resultOf({ projectId, found: { rule_a: ['loop'], rule_b: [], rule_c: ['error'] } });
    const [conversation] = whole.data.conversations;
    const part = (id: string, ...ruleIds: string[]) => ({
      ...whole,
      id,
      data: {
        ...whole.data,
        conversations: [
          {
            ...conversation!,
            ruleIds,
            detections: conversation!.detections!.filter(({ ruleId }) => ruleIds.includes(ruleId)),
          },
        ],
      },
    });
    const [target] = resultMessageOf(whole).results;
    await storeQueued(database, target!, ['rule_a', 'rule_b', 'rule_c']);
    await take([part('first', 'rule_a')]);
    expect(await analysesOf(database, projectId)).toMatchObject([{ endedAt: null }]);
    expect((await runsOf(database, projectId)).map(({ state }) => state)).toEqual(['succeeded', 'queued', 'queued']);
    expect(await analysedSnapshots(database, projectId)).toEqual([]);
    await take([part('second', 'rule_b', 'rule_c')]);
    expect((await runsOf(database, projectId)).map(({ state }) => state)).toEqual(Array(3).fill('succeeded'));
    expect(await analysedSnapshots(database, projectId)).toMatchObject([{ findingIds: { length: 2 } }]);
    expect(await occurrenceModel(database.connection).countDocuments({ projectId })).toBe(2);
  });

  it('count also for a run that had been given up, and not the other way round', async () => {
    const projectId = newId('prj');
    await take([resultOf({ projectId, found: { rule_a: 'failed', rule_b: [] } })]);
    await take([resultOf({ projectId, found: { rule_a: ['loop'], rule_b: 'failed' } })]);
    expect((await runsOf(database, projectId)).map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  });

  it('are skipped where the snapshot no longer exists', async () => {
    const projectId = newId('prj');
    const { data, ...message } = resultOf({ projectId, found: { rule_a: [], rule_b: [] } });
    const conversations = data.conversations.map((each) => ({ ...each, snapshot: null }));
    await take([{ ...message, data: { ...data, conversations } }]);
    expect(await runsOf(database, projectId)).toMatchObject(
      ['rule_a', 'rule_b'].map((ruleId) => ({ ruleId, state: 'skipped', reason: 'The snapshot no longer exists' })),
    );
  });
});

describe('a snapshot whose Rules have all ended', () => {
  it('is told of, once, with the worst of what was found in it', async () => {
    const projectId = newId('prj');
    const worst = detectionOf('error', { severity: 'critical', diagnosticScore: 0.6, ruleId: 'rule_b' });
    const found = { rule_a: ['loop'], rule_b: [worst], rule_c: [], rule_d: 'failed', rule_e: 'skipped' } as const;
    const [one, other] = [
      resultOf({ projectId, conversationId: 'a chat', found }),
      resultOf({ projectId, conversationId: 'clean', found: { rule_a: [] } }),
    ];
    await take([one]);
    await take([other, one]);
    const [{ snapshotId }] = one.data.conversations as unknown as [{ snapshotId: string }];
    expect(await analysedSnapshots(database, projectId)).toEqual([
      {
        ...{ conversationId: 'a chat', snapshotId, analysed: true, score: 0.8, severity: 'critical', unknownRules: 2 },
        findingIds: ['loop', 'error'].map((cluster) => findingIdOf(projectId, detectionOf(cluster).clusterFingerprint)),
        openProblems: [
          ['error', 'critical'],
          ['loop', 'high'],
        ].map(([cluster = '', severity]) => ({
          findingId: findingIdOf(projectId, detectionOf(cluster).clusterFingerprint),
          ...{ severity, reviewStatus: 'unreviewed' },
        })),
      },
      {
        ...{ conversationId: 'clean', snapshotId: other.data.conversations[0]!.snapshotId, analysed: true },
        ...{ score: null, severity: null, findingIds: [], unknownRules: 0 },
      },
    ]);
  });

  it('is told of again where a later result says another thing', async () => {
    const projectId = newId('prj');
    await take([resultOf({ projectId, found: { rule_a: 'failed' } })]);
    await take([resultOf({ projectId, found: { rule_a: ['loop'] } })]);
    const told = await analysedSnapshots(database, projectId);
    expect(told.map(({ score, unknownRules }) => [score, unknownRules])).toEqual([
      [null, 1],
      [0.8, 0],
    ]);
  });

  it('tells why the conversation shows no success, where the worker says so', async () => {
    const projectId = newId('prj');
    const missingSuccess = 'no_success_signal' as const;
    await take([resultOf({ projectId, found: { rule_a: [] }, missingSuccess })]);
    await take([resultOf({ projectId, conversationId: 'another', found: { rule_a: [] } })]);
    const told = await analysedSnapshots(database, projectId);
    expect(told.map((snapshot) => snapshot.missingSuccess)).toEqual([missingSuccess, undefined]);
  });

  it('tells the problems that stand against the conversation: grave ones that nobody has dismissed', async () => {
    const projectId = newId('prj');
    const [high, medium, low, excused] = [
      detectionOf('high'),
      detectionOf('medium', { severity: 'medium' }),
      detectionOf('low', { severity: 'low' }),
      detectionOf('excused', { severity: 'critical' }),
    ] as const;
    await take([resultOf({ projectId, conversationId: 'first', found: { rule_a: [excused] } })]);
    const dismissed = findingIdOf(projectId, excused.clusterFingerprint);
    const findings = findingCollection(database);
    const { matchedCount } = await findings.updateOne({ _id: dismissed }, { $set: { reviewStatus: 'dismissed' } });
    expect(matchedCount).toBe(1);
    await take([
      resultOf({ projectId, conversationId: 'one', found: { rule_a: [medium, low, high, excused] } }),
      resultOf({ projectId, conversationId: 'two', found: { rule_a: [low, excused] } }),
    ]);
    const told = await analysedSnapshots(database, projectId);
    const problemOf = (detection: typeof high, severity: 'critical' | 'high' | 'medium') => ({
      ...{ findingId: findingIdOf(projectId, detection.clusterFingerprint), severity, reviewStatus: 'unreviewed' },
    });
    expect(told.map(({ conversationId, openProblems }) => [conversationId, openProblems])).toEqual([
      ['first', [problemOf(excused, 'critical')]],
      ['one', [problemOf(high, 'high'), problemOf(medium, 'medium')]],
      ['two', undefined],
    ]);
  });

  it('is told of in messages of a hundred', async () => {
    const projectId = newId('prj');
    await take(
      Array.from({ length: 150 }, (_, index) =>
        resultOf({ projectId, conversationId: `chat ${index}`, found: { rule_a: [] } }),
      ),
    );
    expect(await analysedSnapshots(database, projectId)).toHaveLength(150);
    expect(await emittedMessages(database, snapshotAnalysed, projectId)).toHaveLength(2);
  });
});
