import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BUILT_IN_RULES } from '@clew/rules';
import { newId } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { fixedClock, useTestEnvironment } from '@clew/testing';
import { occurrenceModel } from '../findings/finding.model.ts';
import { resultOf, STARTED_AT, type CompletedMessage } from '../test-support/results.ts';
import { openTestDatabase, resultsServiceOn } from '../test-support/service.ts';

const environment = useTestEnvironment();
let database: Database;
let take: (batch: readonly CompletedMessage[]) => Promise<void>;

beforeAll(async () => {
  database = await openTestDatabase(environment);
  take = resultsServiceOn(database, fixedClock(STARTED_AT));
});

afterAll(() => database.close());

const shownIn = async (projectId: string) =>
  (await occurrenceModel(database.connection).find({ projectId }).lean()).map(({ ruleId, snapshotRevision }) => [
    ruleId,
    snapshotRevision,
  ]);

const ruleThat = (isMeant: (rule: (typeof BUILT_IN_RULES)[number]) => boolean) => BUILT_IN_RULES.find(isMeant)!.ruleId;

it('what was found in words stays when these have expired; what a Rule sees without words goes as before', async () => {
  const projectId = newId('prj');
  const [reading, counting] = [
    ruleThat(({ readsWords }) => readsWords !== false),
    ruleThat(({ readsWords }) => readsWords === false),
  ];
  await take([resultOf({ projectId, found: { [reading]: ['said'], [counting]: ['slow'] } })]);
  const clean = { projectId, found: { [reading]: [], [counting]: [] } };
  await take([resultOf({ ...clean, snapshot: { revision: 2, expiredThrough: 5 } })]);
  expect(await shownIn(projectId)).toEqual([[reading, 1]]);
  await take([resultOf({ ...clean, snapshot: { revision: 3 } })]);
  expect(await shownIn(projectId)).toEqual([]);
});
