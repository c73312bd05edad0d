import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RESOLUTION_STATUSES, REVIEW_STATUSES, SEVERITIES } from '@clew/contracts';
import { derivedId, newId, type CursorKey } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { explainSent, monitored, useTestEnvironment } from '@clew/testing';
import { openTestDatabase } from '../test-support/service.ts';
import { MAX_FEW } from './few-by-score.ts';
import { findingModel } from './finding.model.ts';
import { createFindingStore, type FindingFilter, type FindingStore } from './findings.store.ts';

const COUNT = MAX_FEW + 500;
const projectId = newId('prj');
const environment = useTestEnvironment();
let database: Database;
let findings: FindingStore;

/** Fields by which the list filters and sorts; several Findings were detected in one moment. */
const rows = Array.from({ length: COUNT }, (_, index) => ({
  _id: derivedId('fnd', String(index)),
  ...{ projectId, listed: index % 50 !== 0 },
  reviewStatus: REVIEW_STATUSES[index % 3]!,
  resolutionStatus: RESOLUTION_STATUSES[index % 4]!,
  severity: SEVERITIES[index % 5]!,
  diagnosticScore: ((index * 7) % COUNT) / COUNT,
  lastDetectedAt: 1_000 + ((index * 7_919) % 600),
}));

beforeAll(async () => {
  database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  findings = createFindingStore(database);
  await findingModel(database.connection).collection.insertMany(rows as never);
});

afterAll(() => database.close());

function expected(filter: FindingFilter): string[] {
  const { reviewStatus, resolutionStatus, severity, minDiagnosticScore = 0 } = filter;
  const { lastDetectedAfter = 0, lastDetectedBefore = Infinity } = filter;
  return rows
    .filter((row) => row.listed && row.diagnosticScore >= minDiagnosticScore)
    .filter((row) => row.lastDetectedAt >= lastDetectedAfter && row.lastDetectedAt < lastDetectedBefore)
    .filter((row) => row.reviewStatus === (reviewStatus ?? row.reviewStatus))
    .filter((row) => row.resolutionStatus === (resolutionStatus ?? row.resolutionStatus))
    .filter((row) => row.severity === (severity ?? row.severity))
    .toSorted((one, other) => other.lastDetectedAt - one.lastDetectedAt || (one._id < other._id ? 1 : -1))
    .map(({ _id }) => _id);
}

async function walked(filter: FindingFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let after: CursorKey | undefined;
  do {
    const { items, next } = await findings.list(projectId, filter, { limit, after });
    expect(items.length).toBeLessThanOrEqual(limit);
    ids.push(...items.map(({ id }) => id));
    after = next;
  } while (after !== undefined);
  return ids;
}

describe('the list of Findings with a lowest score', () => {
  it('has in its pages what has that score, each once and in the order of the list, whether that is few or many', async () => {
    const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
    const filters = fc.record({
      minDiagnosticScore: fc.constantFrom(0, 0.1, 0.5, 0.9, 0.99, 1),
      reviewStatus: optional(fc.constantFrom(...REVIEW_STATUSES)),
      resolutionStatus: optional(fc.constantFrom(...RESOLUTION_STATUSES)),
      severity: optional(fc.constantFrom(...SEVERITIES)),
      lastDetectedAfter: optional(fc.integer({ min: 900, max: 1_300 })),
      lastDetectedBefore: optional(fc.integer({ min: 1_301, max: 1_700 })),
    });
    const property = fc.asyncProperty(filters, fc.integer({ min: 40, max: 500 }), async (filter, limit) => {
      expect(await walked(filter, limit)).toEqual(expected(filter));
    });
    await fc.assert(property, { numRuns: 40 });
  }, 60_000);

  it('reads no Finding that is not of the page where few have it, and sorts nothing in the database', async () => {
    const filter = { minDiagnosticScore: 0.99, lastDetectedAfter: 1_100 };
    const plans = await explainSent(database, () => findings.list(projectId, filter, { limit: 5, after: undefined }));
    const [, keys, page] = plans;
    expect(plans).toHaveLength(3);
    expect([keys?.stats.totalDocsExamined, keys?.stats.nReturned]).toEqual([
      0,
      expected({ minDiagnosticScore: 0.99 }).length,
    ]);
    expect(page?.stats).toMatchObject({ nReturned: 5, totalDocsExamined: 5 });
  });
});
