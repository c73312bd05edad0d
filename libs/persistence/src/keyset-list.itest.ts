import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Schema, type Model, type mongo } from 'mongoose';
import { createCursorCodec, mergeOrdered, page, takeSlice, type Slice, type SliceRequest } from '@clew/kernel';
import { explainSent, monitored, propertyRuns, silentLogger, useTestEnvironment } from '@clew/testing';
import {
  changedSince,
  compareBy,
  connectMongo,
  ensureIndexes,
  findInOrder,
  keysetKey,
  nativeDb,
  NEWEST_FIRST,
  readSlice,
  walkInOrder,
  type Database,
  type KeysetList,
  type KeysetSort,
} from './index.ts';

const RUNS = propertyRuns(25);

interface Row {
  _id: string;
  projectId: string;
  kind: string;
  label: string;
  createdAt: number;
  updatedAt: number;
}

const BY_LABEL: KeysetSort = [
  ['label', 1],
  ['createdAt', -1],
  ['_id', 1],
];
const CHANGED = changedSince(1);
/** Orders, each with its condition. */
const ORDERS = [{ order: NEWEST_FIRST, filter: {} }, { order: BY_LABEL, filter: {} }, CHANGED];

const rowSchema = new Schema<Row>({
  ...{ _id: String, projectId: String, kind: String, label: String },
  ...{ createdAt: Number, updatedAt: Number },
});
for (const { order } of ORDERS) {
  rowSchema.index({ projectId: 1, ...Object.fromEntries(order) });
  rowSchema.index({ projectId: 1, kind: 1, ...Object.fromEntries(order) });
}

const environment = useTestEnvironment();
const cursors = createCursorCodec(Buffer.alloc(32, 1));
let database: Database;
let Rows: Model<Row>;
/** Second collection, read with the driver. */
let others: mongo.Collection<Row>;

beforeAll(async () => {
  const { mongoUrl, database: name } = environment;
  const url = monitored(mongoUrl);
  database = await connectMongo({ url, database: name, appName: 'test', logger: silentLogger() });
  Rows = database.connection.model<Row>('Row', rowSchema);
  const Others = database.connection.model<Row>('Other', rowSchema);
  await ensureIndexes(Rows);
  await ensureIndexes(Others);
  others = nativeDb(database.connection).collection<Row>(Others.collection.name);
});

afterAll(() => database.close());

/** Few values, so that many documents share them; the texts sort differently by UTF-16 than by UTF-8. */
const values = fc.record({
  kind: fc.constantFrom('a', 'b'),
  label: fc.constantFrom('a', 'b', '\uFFFD', '\u{1F600}'),
  createdAt: fc.nat({ max: 4 }),
  updatedAt: fc.nat({ max: 4 }),
});

const plans = fc.record({
  rows: fc.array(values, { maxLength: 30, size: 'max' }),
  kind: fc.constantFrom('a', undefined),
  limit: fc.integer({ min: 1, max: 7 }),
  ordered: fc.constantFrom(...ORDERS),
  merged: fc.boolean(),
  /** Changes between two pages. The first ten rows come and go, the others stay. */
  between: fc.array(
    fc.record({
      inserted: fc.option(values, { nil: undefined }),
      removed: fc.option(fc.nat({ max: 9 }), { nil: undefined }),
      touched: fc.option(fc.nat({ max: 9 }), { nil: undefined }),
    }),
    { maxLength: 6, size: 'max' },
  ),
});
type Plan = typeof plans extends fc.Arbitrary<infer Value> ? Value : never;

function read(filter: object, { order, merged }: { order: KeysetSort; merged: boolean }, slice: SliceRequest) {
  if (!merged) return readSlice(Rows, order, { filter, ...slice }, (row: Row) => row);
  const keyOf = (row: Row) => keysetKey(order, row);
  const [left, right] = [
    findInOrder(Rows, order, { filter, ...slice }),
    findInOrder(others, order, { filter, ...slice }),
  ];
  return takeSlice(mergeOrdered(left, right, compareBy(order, keyOf)), { limit: slice.limit, keyOf });
}

/** Carries out a plan in a project of its own; returns the ids seen, in order, and the rows that stayed. */
async function walk(projectId: string, { rows: planned, kind, limit, ordered, merged, between }: Plan) {
  const collectionOf = (index: number) =>
    (merged && index % 2 === 1 ? others : Rows.collection) as mongo.Collection<Row>;
  const idOf = (index: number) => `${projectId}/${String(index).padStart(3, '0')}`;
  const rows = planned.map((row, index) => ({ _id: idOf(index), projectId, ...row }));
  for (const [index, row] of rows.entries()) await collectionOf(index).insertOne(row);
  const list: KeysetList = { name: 'rows', order: ordered.order };
  const filter = { projectId, ...(kind === undefined ? {} : { kind }), ...ordered.filter };
  const seen: string[] = [];
  const late: string[] = [];
  let changes = 0;
  let cursor: string | undefined;
  for (let step = 0; ; step += 1) {
    const request = { projectId, filters: { kind }, limit, cursor };
    const answer = await page(cursors, list, request, (slice) => read(filter, { order: list.order, merged }, slice));
    expect(answer.items.length).toBeLessThanOrEqual(limit);
    seen.push(...answer.items.map(({ _id }) => _id));
    if (answer.nextCursor === null) break;
    cursor = answer.nextCursor;
    const { inserted, removed, touched } = between[step] ?? {};
    const now = 100 + (changes += 1);
    if (inserted !== undefined) {
      const _id = `${projectId}/late-${step}`;
      await collectionOf(step).insertOne({ _id, projectId, ...inserted, updatedAt: now });
      if (kind === undefined || inserted.kind === kind) late.push(_id);
    }
    if (removed !== undefined) await collectionOf(removed).deleteOne({ _id: idOf(removed) });
    if (touched !== undefined)
      await collectionOf(touched).updateOne({ _id: idOf(touched) }, { $set: { updatedAt: now } });
  }
  const since = ordered === CHANGED ? 1 : 0;
  const wanted = rows.filter((row) => (kind === undefined || row.kind === kind) && row.updatedAt >= since);
  const steady = wanted.filter(({ _id }) => _id >= idOf(10));
  return { seen, late, steady: inDatabaseOrder(ordered.order, steady).map(({ _id }) => _id) };
}

/** Sorts as the database does: texts by their UTF-8 bytes. */
function inDatabaseOrder(order: KeysetSort, rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => {
    for (const [field, direction] of order) {
      const [left, right] = [a[field as keyof Row], b[field as keyof Row]];
      const difference =
        typeof left === 'number' ? left - Number(right) : Buffer.from(left).compare(Buffer.from(String(right)));
      if (difference !== 0) return difference * direction;
    }
    return 0;
  });
}

describe('a walk through a list', () => {
  it('shows all that is there throughout exactly once and in order, while others come, go and change', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const { seen, late, steady } = await walk(`prj_${(run += 1)}`, plan);
        expect(seen.filter((id) => steady.includes(id))).toEqual(steady);
        // In a walk ordered by changes, documents that change during the walk are shown again, and new ones are shown.
        if (plan.ordered === CHANGED) expect(seen).toEqual(expect.arrayContaining(late));
        else expect(new Set(seen).size).toBe(seen.length);
      }),
      { ...RUNS },
    );
  }, 300_000);

  it('shows a poller every change, whichever of one millisecond it has seen', async () => {
    const projectId = 'prj_polled';
    const row = (name: string, updatedAt: number) => ({
      ...{ _id: `${projectId}/${name}`, projectId, kind: 'a', label: 'a', createdAt: 0, updatedAt },
    });
    const poll = async (updatedAfter: number) => {
      const { order, filter } = changedSince(updatedAfter);
      const slice = await readSlice(Rows, order, { filter: { projectId, ...filter }, limit: 10 }, ({ _id }) => _id);
      return slice.items.map((id) => id.slice(projectId.length + 1));
    };
    await Rows.insertMany([row('b', 5), row('c', 4)]);
    expect(await poll(0)).toEqual(['c', 'b']);
    await Rows.insertMany([row('a', 5)]);
    expect(await poll(5)).toEqual(['a', 'b']);
  });

  it('refuses the cursor of another list, project or filter, or with any byte changed', async () => {
    const projectId = 'prj_cursors';
    const rows = [1, 2, 3].map((createdAt) => ({
      ...{ _id: `${projectId}/${createdAt}`, projectId, kind: 'a', label: 'a', createdAt, updatedAt: 0 },
    }));
    await Rows.insertMany(rows);
    const ROWS = { name: 'rows', order: NEWEST_FIRST };
    const ask = (list: KeysetList, asked: { projectId: string; kind?: string; cursor?: string }) => {
      const { kind, ...request } = asked;
      const filter = { projectId: asked.projectId };
      return page(cursors, list, { ...request, filters: { kind }, limit: 1 }, (slice) =>
        read(filter, { order: list.order, merged: false }, slice),
      );
    };
    const cursor = (await ask(ROWS, { projectId })).nextCursor!;
    expect((await ask(ROWS, { projectId, cursor })).items).toMatchObject([{ createdAt: 2 }]);
    const bytes = Buffer.from(cursor, 'base64url');
    const changed = Array.from(bytes, (byte, index) =>
      Buffer.from(bytes.with(index, byte ^ 1)).toString('base64url'),
    ).map((text) => ask(ROWS, { projectId, cursor: text }));
    const foreign = [
      ask({ ...ROWS, name: 'others' }, { projectId, cursor }),
      ask(ROWS, { projectId: 'prj_other', cursor }),
      ask(ROWS, { projectId, kind: 'a', cursor }),
    ];
    for (const refused of [...changed, ...foreign]) {
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
    }
  });
});

describe('a slice', () => {
  it('names the key that the next one comes after only where something follows', async () => {
    const projectId = 'prj_last';
    const rows = [1, 2, 3].map((createdAt) => ({
      ...{ _id: `${projectId}/${createdAt}`, projectId, kind: 'a', label: 'a', createdAt, updatedAt: 0 },
    }));
    await Rows.insertMany(rows);
    const nextOf = async (limit: number) =>
      (await readSlice(Rows, NEWEST_FIRST, { filter: { projectId }, limit }, (row: Row) => row)).next;
    expect(await Promise.all([2, 3, 4].map(nextOf))).toEqual([[2, `${projectId}/2`], undefined, undefined]);
  });

  it.each([
    ['newest first', ORDERS[0]!],
    ['by label', ORDERS[1]!],
    ['oldest change first', ORDERS[2]!],
  ])('%s is read in the order of an index', async (name, { order, filter }) => {
    const row: Row = { _id: name, projectId: 'prj_explain', kind: 'a', label: 'b', createdAt: 2, updatedAt: 3 };
    await Rows.insertMany([row]);
    const explained = await explainSent(database, async () => {
      for (const after of [undefined, keysetKey(order, row)]) {
        const wanted = { projectId: row.projectId, kind: 'a', ...filter };
        await readSlice(Rows, order, { filter: wanted, limit: 10, after }, (found: Row) => found);
      }
    });
    const isIndexed = expect.stringMatching(/^find rows: LIMIT <- FETCH <-.* IXSCAN$/);
    expect(explained.map(({ plan }) => plan)).toEqual([isIndexed, isIndexed]);
  });

  it('reads one document more than it has items, and of a sparse one what it takes to fill it', async () => {
    const projectId = 'prj_sparse';
    const rows = Array.from({ length: 20 }, (_, index) => ({
      ...{ _id: `${projectId}/${index}`, projectId, kind: index % 5 === 0 ? 'a' : 'b', label: 'a' },
      ...{ createdAt: index, updatedAt: 0 },
    }));
    await Rows.insertMany(rows);
    const readRows: string[] = [];
    const walkOf = (sparse: boolean) =>
      walkInOrder(Rows, NEWEST_FIRST, { filter: { projectId }, limit: 2, sparse }, (row: Row) => {
        readRows.push(row._id);
        return row.kind === 'a' ? row.createdAt : undefined;
      });
    const takeTwo = (sparse: boolean): Promise<Slice<number>> =>
      takeSlice(walkOf(sparse), { limit: 2, keyOf: (createdAt) => [createdAt] });
    expect(await takeTwo(true)).toEqual({ items: [15, 10], next: [10] });
    readRows.length = 0;
    expect((await takeTwo(false)).items).toEqual([]);
    expect(readRows).toHaveLength(3);
  });
});
