import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { explainSent, fixedClock, monitored, useTestEnvironment } from '@clew/testing';
import { detectionOf, resultOf, STARTED_AT } from '../test-support/results.ts';
import { openTestDatabase, resultsServiceOn } from '../test-support/service.ts';
import { createActivityStore, newActivity } from './activity/index.ts';
import { createClusterStore } from './clusters/clusters.store.ts';
import { findingIdOf } from './occurrence.ts';
import { createOccurrenceStore } from './occurrences/occurrences.store.ts';

const CONVERSATIONS = 400;
const LIMIT = 21;
/** Conversations detected in one moment. */
const AT_ONCE = 10;

const environment = useTestEnvironment();
const projectId = newId('prj');
const [loop, error] = ['loop', 'error'].map((cluster) => {
  return findingIdOf(projectId, detectionOf(cluster).clusterFingerprint);
}) as [string, string];
let database: Database;

/** Two Findings that every conversation shows, and as many occurrences of other Findings in between. */
beforeAll(async () => {
  database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  const clock = fixedClock(STARTED_AT);
  const take = resultsServiceOn(database, clock);
  for (let batch = 0; batch < CONVERSATIONS / AT_ONCE; batch += 1) {
    clock.advance(1);
    await take(
      Array.from({ length: AT_ONCE }, (_, index) => {
        const number = AT_ONCE * batch + index;
        const snapshot = { startedAt: STARTED_AT + 1_000 * number };
        const found = { rule_a: ['loop', 'error', `other ${number % 7}`] };
        return resultOf({ projectId, conversationId: `chat ${number}`, snapshot, found });
      }),
    );
  }
}, 60_000);

afterAll(() => database.close());

describe('the occurrences of a Finding', () => {
  it.each([
    ['one Finding', [loop]],
    ['Findings that were merged', [loop, error]],
  ])('of %s are ordered by their index, and no more is read than a page', async (_name, findingIds) => {
    const { list } = createOccurrenceStore(database);
    const { items } = await list(projectId, findingIds, { limit: LIMIT, after: undefined });
    const last = items.at(-1)!;
    for (const after of [undefined, [last.firstDetectedAt, last.id]]) {
      const [query] = await explainSent(database, () => list(projectId, findingIds, { limit: LIMIT, after }));
      const { nReturned, totalDocsExamined } = query!.stats;
      expect(nReturned).toBe(LIMIT + 1);
      // Besides the page, only occurrences of the same moment as the last one of the page before.
      expect(totalDocsExamined).toBeLessThan(nReturned + findingIds.length * AT_ONCE);
    }
  });

  it.each([
    ['one Finding', [loop]],
    ['Findings that were merged', [loop, error]],
  ])('of %s are counted over time from their index alone', async (_name, findingIds) => {
    const { count } = createOccurrenceStore(database);
    const window = { startMs: STARTED_AT, endMs: STARTED_AT + 100_000, intervalMs: 10_000 };
    const [query] = await explainSent(database, () => count(projectId, findingIds, window));
    expect(query!.plan).toMatch(/COVERED <- (?:SORT_MERGE <- )?IXSCAN/);
    expect(query!.plan).not.toContain('FETCH');
  });

  it('are counted for a merge from their index alone, each conversation once', async () => {
    const { countConversations } = createClusterStore(database);
    const count = () => database.withTransaction((tx) => countConversations(tx, projectId, [loop, error]));
    const [query] = await explainSent(database, async () => expect(await count()).toBe(CONVERSATIONS));
    expect(query!.plan).toMatch(/COVERED <- IXSCAN/);
    expect(query!.plan).not.toContain('FETCH');
  });
});

describe('the activity of a Finding', () => {
  it('is ordered by its index, and no more is read than a page', async () => {
    const activities = createActivityStore(database);
    const entries = Array.from({ length: 60 }, (_, index) =>
      newActivity(
        { projectId, id: index % 2 === 0 ? loop : error },
        { kind: 'comment', text: 'seen' },
        { actor: { kind: 'user', id: 'usr_1' }, nowMs: STARTED_AT + index },
      ),
    );
    await database.withTransaction((tx) => activities.add(tx, entries));
    for (const after of [undefined, [STARTED_AT + 50, 'act_1']]) {
      const [query] = await explainSent(database, () => activities.list(projectId, loop, { limit: LIMIT, after }));
      const { nReturned, totalDocsExamined } = query!.stats;
      expect(nReturned).toBe(LIMIT + 1);
      expect(totalDocsExamined).toBe(nReturned);
    }
  });
});
