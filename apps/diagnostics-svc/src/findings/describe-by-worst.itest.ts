import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { fixedClock, useTestEnvironment } from '@clew/testing';
import { migrations } from '../migrations.ts';
import { detectionOf, resultOf, STARTED_AT } from '../test-support/results.ts';
import { openTestDatabase, resultsServiceOn } from '../test-support/service.ts';
import { findingCollection, occurrenceCollection } from './finding.model.ts';
import { findingIdOf } from './occurrence.ts';

const environment = useTestEnvironment();
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(environment);
});

afterAll(() => database.close());

async function migrate(): Promise<void> {
  const migration = migrations.find(({ id }) => id === '0010-finding-review');
  await migration!.up(database.connection);
}

/** A Finding of two conversations as the version before stored it: described by the first, which is the milder one. */
async function formerFinding(): Promise<{ projectId: string; id: string }> {
  const projectId = newId('prj');
  const take = resultsServiceOn(database, fixedClock(STARTED_AT));
  const found = (severity: 'low' | 'critical', diagnosticScore: number) => ({
    rule_a: [detectionOf('loop', { severity, diagnosticScore, summary: severity })],
  });
  await take([resultOf({ projectId, conversationId: 'first', found: found('low', 0.4) })]);
  const id = findingIdOf(projectId, detectionOf('loop').clusterFingerprint);
  const described = await findingCollection(database).findOne({ _id: id });
  await take([resultOf({ projectId, conversationId: 'second', found: found('critical', 0.9) })]);
  const { primary, assignee: _, snooze: _snooze, verification: _verification, ...former } = described!;
  const { sequence: _sequence, revision: _revision, ...fields } = { ...former, occurrenceCount: 2 };
  await findingCollection(database).replaceOne({ _id: id }, { ...fields, primaryOccurrenceId: primary!.id } as never);
  await occurrenceCollection(database).updateMany({ projectId }, { $unset: { severityRank: 1, diagnosticScore: 1 } });
  return { projectId, id };
}

describe('Findings of the version before', () => {
  it('keep what they say, and are described by the worst after the next result that touches them', async () => {
    const { projectId, id } = await formerFinding();
    await migrate();
    expect(await findingCollection(database).findOne({ _id: id })).toMatchObject({
      ...{ severity: 'low', summary: 'low', occurrenceCount: 2, primary: null },
      ...{ assignee: null, snooze: null, verification: null, sequence: 0, revision: 1 },
    });
    const ranks = await occurrenceCollection(database).find({ projectId }).sort({ conversationId: 1 }).toArray();
    expect(ranks).toMatchObject([
      { conversationId: 'first', severityRank: 3, diagnosticScore: 0.4 },
      { conversationId: 'second', severityRank: 0, diagnosticScore: 0.9 },
    ]);
    const take = resultsServiceOn(database, fixedClock(STARTED_AT + 1));
    await take([resultOf({ projectId, conversationId: 'third', found: { rule_a: [detectionOf('loop')] } })]);
    const finding = await findingCollection(database).findOne({ _id: id });
    expect(finding).toMatchObject({
      severity: 'critical',
      summary: 'critical',
      diagnosticScore: 0.9,
      occurrenceCount: 3,
    });
    expect(finding).not.toHaveProperty('primaryOccurrenceId');
  });

  it('are left alone when the migration runs once more, with what people have set since', async () => {
    const { id } = await formerFinding();
    await migrate();
    await findingCollection(database).updateOne({ _id: id }, { $set: { assignee: 'ann', revision: 2 } });
    const before = await findingCollection(database).findOne({ _id: id });
    await migrate();
    expect(await findingCollection(database).findOne({ _id: id })).toEqual(before);
  });
});
