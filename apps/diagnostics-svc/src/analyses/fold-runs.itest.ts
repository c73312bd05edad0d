import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mongo } from 'mongoose';
import { derivedId, newId } from '@clew/kernel';
import { nativeDb, type Database } from '@clew/persistence';
import { monitored, useTestEnvironment } from '@clew/testing';
import { runsOf } from '../test-support/analyses.ts';
import { openTestDatabase } from '../test-support/service.ts';
import { foldRuns, FORMER_RUNS, type FormerRunDocument } from './fold-runs.ts';

const environment = useTestEnvironment();
let database: Database;

beforeEach(async () => {
  database = await openTestDatabase(environment);
});

afterEach(() => database.close());

function former() {
  return nativeDb(database.connection).collection<FormerRunDocument>(FORMER_RUNS);
}

interface Kill {
  name: string;
  count: number;
  pageSize: number;
}

const ENDS = {
  succeeded: { reason: null, finishedAt: 20 },
  failed: { reason: 'it failed', finishedAt: 30 },
  skipped: { reason: 'it was skipped', finishedAt: 40 },
  queued: { reason: null, finishedAt: null },
};

/** Runs as the version before stored them. */
function runsOfProject(projectId: string, snapshots: number, rules: number): FormerRunDocument[] {
  return Array.from({ length: snapshots }, (_, snapshot) => `chat ${snapshot}`).flatMap((conversationId, snapshot) => {
    const snapshotId = derivedId('cesr', projectId, conversationId);
    return Array.from({ length: rules }, (_, rule): FormerRunDocument => {
      const ruleId = `rule_${rule}`;
      const state = (['succeeded', 'succeeded', 'failed', 'skipped', 'queued'] as const)[(snapshot + rule) % 5]!;
      return {
        _id: derivedId('run', projectId, conversationId, snapshotId, ruleId),
        ...{ projectId, conversationId, snapshotId, ruleId, state, createdAt: 10, ...ENDS[state] },
      };
    });
  });
}

async function expectFolded(projectId: string, runs: readonly FormerRunDocument[]): Promise<void> {
  const told = (each: { snapshotId: string; ruleId: string; state: string; reason: string | null }) =>
    `${each.snapshotId} ${each.ruleId} ${each.state} ${String(each.reason)}`;
  expect((await runsOf(database, projectId)).map(told).toSorted()).toEqual(runs.map(told).toSorted());
  expect(await nativeDb(database.connection).listCollections({ name: FORMER_RUNS }).toArray()).toEqual([]);
}

describe('runs that were documents of their own', () => {
  it('are in the records of their snapshots, with their states, reasons and times, and their collection is gone', async () => {
    const projectId = newId('prj');
    const runs = runsOfProject(projectId, 30, 5);
    await former().insertMany(runs);
    await foldRuns(database.connection, 7);
    await expectFolded(projectId, runs);
    const documents = nativeDb(database.connection).collection('analyses').find({ projectId });
    for (const { createdAt, endedAt, rules } of await documents.toArray()) {
      expect([createdAt, String(rules).split(' ').length]).toEqual([10, 5]);
      expect([null, 40]).toContain(endedAt);
    }
  });

  it('need not be there', async () => {
    await foldRuns(database.connection);
    await foldRuns(database.connection);
  });

  it('are neither lost nor doubled when the migrator is killed at any command, again and again', async () => {
    const kill: fc.Arbitrary<Kill> = fc.record({
      name: fc.constantFrom('find', 'insert', 'update', 'delete', 'commitTransaction', 'drop'),
      count: fc.integer({ min: 1, max: 4 }),
      pageSize: fc.integer({ min: 3, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(kill, { minLength: 1, maxLength: 4 }), async (kills) => {
        const projectId = newId('prj');
        const runs = runsOfProject(projectId, 12, 5);
        await former().insertMany(runs);
        for (const each of kills) await foldUntilKilled(each);
        await foldRuns(database.connection);
        await expectFolded(projectId, runs);
      }),
      { numRuns: 20, endOnFailure: true },
    );
  }, 120_000);

  it('stay as they are where the snapshot was analysed meanwhile', async () => {
    const projectId = newId('prj');
    const runs = runsOfProject(projectId, 1, 3);
    await former().insertMany(runs);
    await foldRuns(database.connection);
    await former().insertMany(runs.map((run) => ({ ...run, state: 'queued' as const, finishedAt: null })));
    await foldRuns(database.connection);
    await expectFolded(projectId, runs);
  });
});

/**
 * A migrator that ends before it sends a command: within a page, which the server forgets then, or between two of them.
 * Or it comes to its end, where it sends fewer.
 */
async function foldUntilKilled({ name, count, pageSize }: Kill): Promise<void> {
  const killed = await openTestDatabase(environment, monitored(environment.mongoUrl));
  let left = count;
  let session: unknown;
  killed.connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName !== name) return;
    left -= 1;
    if (left > 0) return;
    session = (command as { lsid: unknown }).lsid;
    throw new mongo.MongoError('killed');
  });
  await foldRuns(killed.connection, pageSize).catch((error: unknown) => {
    if (left > 0) throw error;
  });
  // What the server does by itself, a minute after the last that it heard of the session.
  if (session !== undefined)
    await nativeDb(database.connection)
      .admin()
      .command({ killSessions: [session] });
  await killed.close();
}
