import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Schema, type Model } from 'mongoose';
import { explainUsesIndex, silentLogger, useTestEnvironment } from '@clew/testing';
import { connectMongo, ensureIndexes, keysetFilter, keysetKey, type Database, type KeysetSort } from './index.ts';

interface Row {
  _id: string;
  projectId: string;
  rank: number;
  label: string;
}

const SORTS: KeysetSort[] = [
  [
    ['rank', -1],
    ['_id', -1],
  ],
  [
    ['rank', 1],
    ['_id', 1],
  ],
  [
    ['label', 1],
    ['rank', -1],
    ['_id', 1],
  ],
];

const rowSchema = new Schema<Row>({ _id: String, projectId: String, rank: Number, label: String });
for (const sort of SORTS) rowSchema.index({ projectId: 1, ...Object.fromEntries(sort) });

const environment = useTestEnvironment();
let database: Database;
let Rows: Model<Row>;

beforeAll(async () => {
  const { mongoUrl: url, database: name } = environment;
  database = await connectMongo({ url, database: name, appName: 'test', logger: silentLogger() });
  Rows = database.connection.model<Row>('Row', rowSchema);
  await ensureIndexes(Rows);
});

afterAll(() => database.close());

function page(projectId: string, sort: KeysetSort, after: Row | undefined, limit: number) {
  const filter = after === undefined ? {} : keysetFilter(sort, keysetKey(sort, after));
  return Rows.find({ $and: [{ projectId }, filter] })
    .sort(Object.fromEntries(sort))
    .limit(limit)
    .lean();
}

async function walk(projectId: string, sort: KeysetSort, limit: number): Promise<Row[]> {
  const seen: Row[] = [];
  for (;;) {
    const rows = await page(projectId, sort, seen.at(-1), limit);
    seen.push(...rows);
    if (rows.length < limit) return seen;
  }
}

function inOrder(sort: KeysetSort, rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => {
    for (const [field, direction] of sort) {
      const [left, right] = [a[field as keyof Row], b[field as keyof Row]];
      if (left !== right) return left < right ? -direction : direction;
    }
    return 0;
  });
}

describe('a keyset walk', () => {
  it('visits every document exactly once, in order, whatever the ties', async () => {
    // Few values, so that many documents share them.
    const arbitraryRow = fc.record({ rank: fc.integer({ min: 0, max: 4 }), label: fc.constantFrom('a', 'b', 'c') });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryRow, { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom(...SORTS),
        async (values, limit, sort) => {
          const projectId = `prj_${(run += 1)}`;
          const rows = values.map((value, index) => ({ _id: `${projectId}/${index}`, projectId, ...value }));
          await Rows.insertMany(rows);
          const visited = await walk(projectId, sort, limit);
          expect(visited.map(({ _id }) => _id)).toEqual(inOrder(sort, rows).map(({ _id }) => _id));
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each(SORTS)('is answered by the index alone: %j %j', async (...sort) => {
    const row = { _id: 'x', projectId: 'prj_explain', rank: 2, label: 'b' };
    expect(await explainUsesIndex(page(row.projectId, sort, row, 10))).toContain('IXSCAN');
  });
});
