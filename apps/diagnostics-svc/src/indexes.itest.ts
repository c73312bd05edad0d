import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REVIEW_STATUSES, RESOLUTION_STATUSES, SEVERITIES } from '@clew/contracts';
import { derivedId } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { explainSent, monitored, fixedClock, useTestEnvironment } from '@clew/testing';
import { findingModel, type FindingDocument } from './findings/finding.model.ts';
import { createFindingStore, type FindingFilter, type FindingStore } from './findings/findings.store.ts';
import { queuedRun } from './runs/analysis-run.ts';
import { createRunStore } from './runs/runs.store.ts';
import { createSettingsStore } from './settings/settings.store.ts';
import { OTHER_PROJECT_ID, PROJECT_ID, resultOf, STARTED_AT } from './test-support/results.ts';
import { openTestDatabase, resultsServiceOn } from './test-support/service.ts';

const FINDING_COUNT = 20_000;
const LIMIT = 101;

const environment = useTestEnvironment();
let database: Database;
let findings: FindingStore;

beforeAll(async () => {
  database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  findings = createFindingStore(database);
});

afterAll(() => database.close());

/** Findings that no formula of the filters lines up: primes spread every field over the others. */
function findingDocument(index: number): FindingDocument {
  const pick = <Value>(values: readonly Value[], step: number) => values[Math.floor(index / step) % values.length]!;
  const at = STARTED_AT + ((index * 7_919) % 5_000);
  return {
    _id: derivedId('fnd', String(index)),
    projectId: index % 10 === 0 ? OTHER_PROJECT_ID : PROJECT_ID,
    reviewStatus: pick(REVIEW_STATUSES, 1),
    resolutionStatus: pick(RESOLUTION_STATUSES, 3),
    severity: pick(SEVERITIES, 7),
    listed: index % 13 !== 0,
    diagnosticScore: ((index * 104_729) % 1_000) / 1_000,
    ...{ firstDetectedAt: at, lastDetectedAt: at, createdAt: at, updatedAt: at },
    ...{ clusterFingerprint: `cluster ${index}`, fingerprintVersion: 'finding-cluster-v1' },
    ...{ ruleId: 'rule_a', ruleKey: 'a', categoryKey: 'tools', diagnosticConfidence: 1, occurrenceCount: 1 },
    ...{ title: '', summary: '', causeAssessment: '', remediationHint: '' },
    ...{ primaryOccurrenceId: null, window: [], evidence: [], evidenceThroughMs: at },
    anchor: { traceId: '', spanId: '', stepIndex: 0, quotes: [], conversationId: '' },
    ...{ analysisRevision: '', evidenceSnapshotRevision: '', reviewedAt: null, resolvedAt: null, regressedAt: null },
  };
}

const either = <Value>(value: Value) => [undefined, value];
const RANGES = [
  {},
  { lastDetectedAfter: STARTED_AT + 1_000 },
  { lastDetectedBefore: STARTED_AT + 4_000 },
  { lastDetectedAfter: STARTED_AT + 1_000, lastDetectedBefore: STARTED_AT + 4_000 },
];

/** Every combination of the list's filters. */
const FILTERS: readonly FindingFilter[] = either('confirmed' as const).flatMap((reviewStatus) =>
  either('resolved' as const).flatMap((resolutionStatus) =>
    either('high' as const).flatMap((severity) =>
      [undefined, 0.5, 0.98].flatMap((minDiagnosticScore) =>
        RANGES.map((range) => ({ reviewStatus, resolutionStatus, severity, minDiagnosticScore, ...range })),
      ),
    ),
  ),
);

describe(`the list of ${FINDING_COUNT} Findings`, () => {
  beforeAll(async () => {
    await findingModel(database.connection).collection.insertMany(
      Array.from({ length: FINDING_COUNT }, (_, index) => findingDocument(index)) as never,
    );
  });

  const cursor = [STARTED_AT + 3_000, derivedId('fnd', '0')];

  it.each([
    ['first page', undefined],
    ['page after a cursor', cursor],
  ])(
    'is ordered by its index and reads no more than its %s, whatever the filters',
    async (_name, after) => {
      for (const filter of FILTERS) {
        const [query] = await explainSent(database, () => findings.list(PROJECT_ID, filter, { limit: LIMIT, after }));
        const { nReturned, totalDocsExamined } = query!.stats;
        expect({ filter, totalDocsExamined }).toEqual({ filter, totalDocsExamined: nReturned });
      }
    },
    120_000,
  );
});

describe('every other command of the service', () => {
  const clock = fixedClock(STARTED_AT);

  it('finds what it wants by an index when a Finding, settings or runs are asked for', async () => {
    const settings = createSettingsStore(database);
    const runs = createRunStore(database);
    const run = queuedRun({ projectId: PROJECT_ID, conversationId: 'a chat', snapshotId: 'cesr_1' }, 'rule_a', 1);
    const explained = await explainSent(database, async () => {
      await findings.get(PROJECT_ID, derivedId('fnd', '1'));
      await settings.change(PROJECT_ID, { automaticSchedulingEnabled: true }, 1);
      await settings.get(PROJECT_ID);
      await database.withTransaction(async (tx) => {
        await runs.insertNew(tx, [run]);
        await runs.finish(tx, [{ runId: run.id, projectId: PROJECT_ID, state: 'succeeded', reason: null }], 1);
      });
    });
    expect(explained).toHaveLength(5);
  });

  it('finds what it wants by an index when results add, renew and withdraw, in several projects', async () => {
    const take = resultsServiceOn(database, clock);
    const results = (revision: number, clusters: string[]) =>
      [PROJECT_ID, OTHER_PROJECT_ID].flatMap((projectId) =>
        ['one', 'two', 'three'].map((conversationId) =>
          resultOf({ projectId, conversationId, snapshot: { revision }, found: { rule_a: clusters } }),
        ),
      );
    await take(results(1, ['loop', 'error']));
    const [first, ...others] = results(2, []);
    const explained = [
      ...(await explainSent(database, () => take([first!]))),
      ...(await explainSent(database, () => take(others))),
    ];
    const plans = explained.map(({ plan }) => plan);
    // From Finding to Finding, without the occurrences between.
    expect(plans).toContainEqual(expect.stringMatching(/^aggregate occurrences: .*DISTINCT_SCAN/));
    expect(plans).toContainEqual(expect.stringMatching(/^delete occurrences/));
  });
});
