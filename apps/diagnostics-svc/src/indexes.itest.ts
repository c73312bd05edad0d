import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { derivedId } from '@clew/kernel';
import { createScheduledTasks, type Database } from '@clew/persistence';
import { explainSent, monitored, fixedClock, useTestEnvironment } from '@clew/testing';
import { adjudicationIdOf, verdictIdOf } from './adjudication/adjudication.ts';
import { createAdjudicationStore } from './adjudication/adjudications.store.ts';
import { createBudgetStore } from './adjudication/budget.store.ts';
import { adjudicationCollection } from './adjudication/index.ts';
import { newBackfill } from './backfills/backfill.ts';
import { backfillCollection } from './backfills/index.ts';
import { createFindingStore, type FindingStore } from './findings/findings.store.ts';
import { newAnalysis, withEndedRuns, withQueuedRuns, type Analysis } from './analyses/analysis.ts';
import { createAnalysisStore } from './analyses/index.ts';
import { createRuleStore } from './rules/index.ts';
import { withEnabled } from './rules/rule-setting.ts';
import { createSettingsStore } from './settings/settings.store.ts';
import { OTHER_PROJECT_ID, PROJECT_ID, resultOf, STARTED_AT } from './test-support/results.ts';
import { openTestDatabase, resultsServiceOn } from './test-support/service.ts';

const environment = useTestEnvironment();
let database: Database;
let findings: FindingStore;

beforeAll(async () => {
  database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  findings = createFindingStore(database);
});

afterAll(() => database.close());

describe('every other command of the service', () => {
  const clock = fixedClock(STARTED_AT);

  it('finds what it wants by an index when a Finding, settings, Rules or analyses are asked for', async () => {
    const settings = createSettingsStore(database);
    const rules = createRuleStore(database);
    const analyses = createAnalysisStore(database);
    const target = { projectId: PROJECT_ID, conversationId: 'a chat', snapshotId: 'cesr_1' };
    const rule = { ruleId: 'rule_a' };
    const queued = withQueuedRuns(newAnalysis(target, 1), [rule]);
    const ended = withEndedRuns(queued, [{ rule, state: 'succeeded', reason: null }], 2);
    const byId = (analysis: Analysis) => new Map([[analysis.id, analysis]]);
    const explained = await explainSent(database, async () => {
      await findings.get(PROJECT_ID, derivedId('fnd', '1'));
      await findings.shownBy(PROJECT_ID, 'a chat');
      await settings.change(PROJECT_ID, { automaticSchedulingEnabled: true }, 1);
      await settings.get(PROJECT_ID);
      await settings.getMany([PROJECT_ID, OTHER_PROJECT_ID]);
      await rules.get(PROJECT_ID, 'rule_a');
      await rules.getMany([PROJECT_ID, OTHER_PROJECT_ID]);
      await database.withTransaction(async (tx) => {
        await analyses.save(tx, await analyses.load(tx, [target]), byId(queued));
        await analyses.save(tx, byId(queued), byId(ended));
        await rules.update(tx, PROJECT_ID, 'rule_a', (setting) => withEnabled(setting, false, 1));
      });
    });
    expect(explained).toHaveLength(11);
  });

  it('finds what it wants by an index when adjudications are added, put off, asked for and ended', async () => {
    const adjudications = createAdjudicationStore(database);
    const budgets = createBudgetStore(database, 'adjudication');
    const rows = createScheduledTasks(adjudicationCollection(database.connection), { leaseMs: 60_000 });
    const target = {
      projectId: PROJECT_ID,
      conversationId: 'a chat',
      snapshotId: 'cesr_1',
      rule: { ruleId: 'rule_a' },
    };
    const wanted = { ...target, requestId: null };
    const id = adjudicationIdOf(target);
    const plans = await explainSent(database, async () => {
      await database.withTransaction((tx) => adjudications.add(tx, [wanted], clock.now()));
      await rows.makeDue({ projectId: PROJECT_ID, state: 'due' }, clock.now());
      const claimed = await rows.claim(clock.now(), 10);
      expect(claimed.map(({ _id }) => _id)).toEqual([id]);
      await database.withTransaction(async (tx) => {
        await adjudications.asked(tx, claimed);
        await adjudications.get(tx, id);
        await adjudications.putBack(tx, id, { dueAt: 1, failures: 1 });
        await adjudications.countFailure(tx, id);
        await adjudications.verdicts(tx, [verdictIdOf(target, 'loop/wise')]);
        await budgets.reserve(tx, PROJECT_ID, 1, 2, clock.now());
        await budgets.correct(tx, PROJECT_ID, 1, clock.now());
        await adjudications.end(tx, claimed);
      });
      await database.withTransaction((tx) => adjudications.endAsked(tx, id));
    });
    expect(plans.length).toBeGreaterThan(10);
  });

  it('finds what it wants by an index when backfills are due', async () => {
    const documents = backfillCollection(database.connection);
    const asked = { projectId: PROJECT_ID, ruleId: 'rule_a', startMs: 1, endMs: 2, maxConversations: 3 };
    const { id: _id, ...fields } = newBackfill({ ...asked, requestId: 'req_1', key: undefined }, 1);
    await documents.insertOne({ _id, ...fields, dueAt: 1 });
    const rows = createScheduledTasks(documents, { leaseMs: 60_000, maxAttempts: 2 });
    const explained = await explainSent(database, async () => {
      const claimed = await rows.claim(STARTED_AT, 1);
      await database.withTransaction((tx) => rows.settle(tx, claimed));
    });
    expect(explained.length).toBeGreaterThan(2);
  });

  it('finds what it wants by an index when results add, renew and withdraw, in several projects', async () => {
    const take = resultsServiceOn(database, clock);
    const results = (revision: number, clusters: string[]) =>
      [PROJECT_ID, OTHER_PROJECT_ID].flatMap((projectId) =>
        ['one', 'two', 'three'].map((conversationId) =>
          resultOf({ projectId, conversationId, snapshot: { revision }, found: { rule_a: clusters } }),
        ),
      );
    // One after the other, so that the first result describes the Findings and leaves a gap when it is withdrawn.
    for (const result of results(1, ['loop', 'error'])) {
      clock.advance(1);
      await take([result]);
    }
    const [first, ...others] = results(2, []);
    const explained = [
      ...(await explainSent(database, () => take([first!]))),
      ...(await explainSent(database, () => take(others))),
    ];
    const plans = explained.map(({ plan }) => plan);
    // The scan skips from Finding to Finding, past the occurrences between.
    expect(plans).toContainEqual(expect.stringMatching(/^aggregate occurrences: .*DISTINCT_SCAN/));
    expect(plans).toContainEqual(expect.stringMatching(/^delete occurrences/));
  });
});
