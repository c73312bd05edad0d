import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FINDING_FACETS, FINDING_SORTS, listFindings, SEVERITIES, type FindingSort } from '@clew/contracts';
import { newId, type CursorKey } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { explainSent, monitored, propertyRuns, useTestEnvironment } from '@clew/testing';
import { listedFinding } from '../../test-support/listed-findings.ts';
import { STARTED_AT } from '../../test-support/results.ts';
import { openTestDatabase } from '../../test-support/service.ts';
import { findingCollection, type FindingDocument } from '../finding.model.ts';
import { createFindingStore, type FindingStore, type StoredFilter } from '../findings.store.ts';
import { planOf, SORTS } from './index.ts';

const COUNT = 6_000;
const LIMIT = 20;
const projectId = newId('prj');
const environment = useTestEnvironment();
let database: Database;
let findings: FindingStore;

const rows = Array.from({ length: COUNT }, (_, index) => listedFinding(projectId, index));

beforeAll(async () => {
  database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  findings = createFindingStore(database);
  const others = Array.from({ length: 500 }, (_, index) => listedFinding(newId('prj'), index));
  await findingCollection(database).insertMany([...rows, ...others]);
}, 60_000);

afterAll(() => database.close());

/** Values of each filter, some of which leave many Findings and some few. A page can name no other filter. */
const VALUES: Record<string, readonly string[]> = {
  reviewStatus: ['confirmed', 'confirmed,unreviewed'],
  resolutionStatus: ['resolved'],
  severity: ['critical,high', 'info'],
  minDiagnosticScore: ['0.2', '0.99'],
  lastDetectedAfter: [String(STARTED_AT + 1_000), String(STARTED_AT + 4_900)],
  lastDetectedBefore: [String(STARTED_AT + 4_950)],
  ruleId: ['rule_a', 'rule_a,rule_b', 'rule_z'],
  categoryKey: ['tools'],
  assignee: ['usr_1', 'none'],
  q: ['tool fai', 'nobody'],
  conversationId: ['chat'],
  agent: ['clerk'],
  snoozed: ['true', 'false'],
  workItem: ['none', 'active', 'done'],
};
const { sort: _sort, limit: _limit, cursor: _cursor, ...filters } = listFindings.query.shape;

function parsed(named: Readonly<Record<string, string>>): StoredFilter {
  const { limit: _1, cursor: _2, sort: _3, assignee, ...filter } = listFindings.query.parse(named);
  return assignee === undefined ? filter : { ...filter, assignee: assignee === 'none' ? '' : assignee };
}

const single = Object.entries(VALUES).flatMap(([name, values]) => values.map((value) => ({ [name]: value })));
const firstOfEach = Object.entries(VALUES).map(([name, [value = '']]) => ({ [name]: value }));
/** No filter, every value of each, and each two filters together. */
const COMBINED: readonly Record<string, string>[] = [
  {},
  ...single,
  ...firstOfEach.flatMap((one, index) => firstOfEach.slice(index + 1).map((other) => ({ ...one, ...other }))),
];

function matches(row: FindingDocument, filter: StoredFilter): boolean {
  const { lastDetectedAfter: from = 0, lastDetectedBefore: to = Infinity, minDiagnosticScore = 0 } = filter;
  const among = <Value>(values: readonly Value[] | undefined, value: Value) => values?.includes(value) !== false;
  const is = <Value>(wanted: Value | undefined, value: Value) => wanted === undefined || wanted === value;
  return (
    row.listed &&
    row.lastDetectedAt >= from &&
    row.lastDetectedAt < to &&
    row.diagnosticScore >= minDiagnosticScore &&
    among(filter.reviewStatus, row.reviewStatus) &&
    among(filter.resolutionStatus, row.resolutionStatus) &&
    among(filter.severity, row.severity) &&
    among(filter.ruleId, row.ruleId) &&
    among(filter.categoryKey, row.categoryKey) &&
    is(filter.assignee, row.assignee ?? '') &&
    is(filter.agent, row.situation?.agent) &&
    is(filter.snoozed, row.snooze !== null) &&
    is(filter.workItem, row.listing.workItem) &&
    filter.conversationId === undefined &&
    (filter.q ?? '').split(' ').every((word) => row.title.toLowerCase().includes(word))
  );
}

function expected(filter: StoredFilter, sort: FindingSort): string[] {
  const { order } = SORTS[sort];
  return rows
    .filter((row) => matches(row, filter))
    .toSorted((one, other) => {
      for (const [field] of order) {
        const [a, b] = [one, other].map((row) => row[field as keyof FindingDocument] as string | number) as [
          never,
          never,
        ];
        if (a !== b) return a < b ? 1 : -1;
      }
      return 0;
    })
    .map(({ _id }) => _id);
}

async function walked(filter: StoredFilter, sort: FindingSort, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let after: CursorKey | undefined;
  do {
    const { items, next } = await findings.list(projectId, filter, { limit, after, sort });
    expect(items.length).toBeLessThanOrEqual(limit);
    ids.push(...items.map(({ id }) => id));
    after = next;
  } while (after !== undefined);
  return ids;
}

describe('the list of Findings', () => {
  it('has values in this test for every filter of its route', () => {
    expect(Object.keys(VALUES).toSorted()).toEqual(Object.keys(filters).toSorted());
  });

  it('decides every combination of filters by an index alone, but words by documents', () => {
    const names = Object.keys(VALUES).filter((name) => name !== 'conversationId');
    for (let chosen = 0; chosen < 2 ** names.length; chosen += 1) {
      const named = names.filter((_, index) => (chosen & (2 ** index)) !== 0);
      const filter = parsed(Object.fromEntries(named.map((name) => [name, VALUES[name]![0]!])));
      for (const sort of FINDING_SORTS) {
        const { all, ways, inOrder, readsDocuments } = planOf(projectId, filter, sort);
        const needed = [...Object.keys(all), ...SORTS[sort].order.map(([field]) => field)];
        const outside = [...ways, inOrder].flatMap(({ index: { name, key } }) =>
          needed.filter((field) => !(field in key)).map((field) => [name, field]),
        );
        if (readsDocuments !== outside.length > 0 || readsDocuments !== (filter.q !== undefined)) {
          throw new Error(`${JSON.stringify(named)} by ${sort}: ${JSON.stringify(outside)}`);
        }
      }
    }
  });

  it('reads every filter and each two of them in an order from an index, without a sort, and no document that is not of the page', async () => {
    for (const [index, named] of COMBINED.entries()) {
      const filter = parsed(named);
      const sort = FINDING_SORTS[index % FINDING_SORTS.length]!;
      const matching = rows.filter((row) => matches(row, filter));
      const isFirst = Math.floor(index / FINDING_SORTS.length) % 2 === 0 || matching.length === 0;
      const after = isFirst ? undefined : keyOf(matching[Math.floor(matching.length / 3)]!, sort);
      const queries = await explainSent(database, () =>
        findings.list(projectId, filter, { limit: LIMIT, after, sort }),
      );
      const documents = queries.reduce((sum, { stats }) => sum + stats.totalDocsExamined, 0);
      // One more tells whether the page is the last.
      const most = 'q' in named ? 2_500 : LIMIT + 1;
      expect({ named, sort, documents: Math.max(documents, most) }).toEqual({ named, sort, documents: most });
    }
  }, 240_000);

  it.each(FINDING_SORTS)(
    'sorts nothing for a time in the order of %s, wherever a step of the walk ends',
    async (sort) => {
      // Values that most have are no facets, so that the walk steps over many that have not all of them.
      const usual = { reviewStatus: 'unreviewed', resolutionStatus: 'unresolved', workItem: 'none' };
      for (const from of [1_000, 2_000, 3_000]) {
        const filter = parsed({ lastDetectedAfter: String(STARTED_AT + from), ...usual });
        let after: CursorKey | undefined;
        for (let page = 0; page < 3; page += 1) {
          await explainSent(database, async () => {
            after = (await findings.list(projectId, filter, { limit: LIMIT, after, sort })).next;
          });
          if (after === undefined) break;
        }
      }
    },
  );

  it.each([
    ['a filter that leaves some thousand', { categoryKey: 'tools' }],
    ['values that leave some thousand', { severity: 'critical,high' }],
    ['values that leave most', { ruleId: 'rule_a,rule_b,rule_c' }],
  ])('goes on where the first step of a walk found few, with %s', async (_name, named) => {
    // Values that most have are no facets: of a step some match, and never enough for a page.
    const usual = { reviewStatus: 'unreviewed', resolutionStatus: 'unresolved', workItem: 'none', assignee: 'none' };
    const filter = parsed({ ...named, ...usual });
    for (const sort of FINDING_SORTS) expect(await walked(filter, sort, LIMIT)).toEqual(expected(filter, sort));
    expect(expected(filter, 'lastDetectedAt').length).toBeGreaterThan(LIMIT);
  });

  it('has in its pages what matches, each once and in its order, whether that is few or many', async () => {
    const filter = fc
      .subarray(single, { maxLength: 4 })
      .map((some): Record<string, string> => Object.assign({}, ...some));
    const property = fc.asyncProperty(
      filter.map(parsed),
      fc.constantFrom(...FINDING_SORTS),
      fc.integer({ min: 300, max: 500 }),
      async (some, sort, limit) => expect(await walked(some, sort, limit)).toEqual(expected(some, sort)),
    );
    await fc.assert(property, propertyRuns(8));
  }, 120_000);
});

function keyOf(row: FindingDocument, sort: FindingSort): CursorKey {
  return SORTS[sort].order.map(([field]) => row[field as keyof FindingDocument] as string | number);
}

describe('the counts of Findings', () => {
  it('are those of the list, by each field, from an index without a sort', async () => {
    for (const named of [{}, ...single]) {
      const filter = parsed(named);
      const found = rows.filter((row) => matches(row, filter));
      const explained = await explainSent(database, async () => {
        const counts = await findings.countList(projectId, filter, FINDING_FACETS);
        expect({ named, total: counts.total, atLeast: counts.atLeast }).toEqual({
          ...{ named, total: found.length, atLeast: false },
        });
        for (const severity of SEVERITIES) {
          const counted = counts.counts.severity?.find(({ value }) => value === severity);
          expect(counted?.count).toBe(found.filter((row) => row.severity === severity).length);
        }
        const nobody = counts.counts.assignee?.find(({ value }) => value === null);
        expect(nobody?.count ?? 0).toBe(found.filter(({ assignee }) => assignee === null).length);
      });
      if (!('q' in named))
        expect(explained.map(({ stats }) => stats.totalDocsExamined)).toEqual(explained.map(() => 0));
    }
  }, 60_000);
});

describe('the counts of a list', () => {
  it('are those of what matches, for every filter and each two of them', async () => {
    for (const named of COMBINED) {
      const filter = parsed(named);
      const matching = rows.filter((row) => matches(row, filter));
      const { total, atLeast, counts } = await findings.countList(projectId, filter, ['severity', 'agent']);
      const ofEach = (value: (row: FindingDocument) => string | null) =>
        [...Map.groupBy(matching, value)].map(([one, { length: count }]) => ({ value: one, count }));
      const known = SEVERITIES.map((value) => ({ value, count: 0 }));
      const severities = [...ofEach(({ severity }) => severity), ...known];
      const agents = ofEach(({ situation }) => situation?.agent ?? null);
      expect({ named, total, atLeast, severity: sorted(counts.severity), agent: sorted(counts.agent) }).toEqual({
        ...{ named, total: matching.length, atLeast: false },
        severity: sorted(severities.filter(({ value }, index) => firstWith(severities, value) === index)),
        agent: sorted(agents),
      });
    }
  }, 60_000);
});

interface ValueCount {
  value: string | null;
  count: number;
}

function sorted(counts: readonly ValueCount[] | undefined): ValueCount[] | undefined {
  return counts?.toSorted((one, other) => String(one.value).localeCompare(String(other.value)));
}

function firstWith(counts: readonly ValueCount[], value: string | null): number {
  return counts.findIndex((one) => one.value === value);
}
