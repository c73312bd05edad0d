import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Dataset, DatasetVersion, Example, VersionChange } from '@clew/contracts';
import { useTestEnvironment } from '@clew/testing';
import { revisionCollection } from '../examples/index.ts';
import { manualExample, startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

interface Diff {
  from: DatasetVersion;
  to: DatasetVersion;
  changes: VersionChange[];
  nextCursor: string | null;
}

const read = async (path: string) => (await service.call<Dataset>({ path })).body;
const listAt = async (path: string, version: number) =>
  (await service.call<{ examples: Example[] }>({ path: `${path}/examples?limit=1000&version=${version}` })).body
    .examples;
const patch = (path: string, id: string, text: string) =>
  service.call<Example>({
    ...{ method: 'PATCH', path: `${path}/examples/${id}` },
    body: { payload: { input: { type: 'text', text } } },
  });
const remove = (path: string, id: string, query = '') =>
  service.call({ method: 'DELETE', path: `${path}/examples/${id}${query}` });

async function diffOf(path: string, from: number, to: number, limit = 1000, more = ''): Promise<VersionChange[]> {
  const changes: VersionChange[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, body, text } = await service.call<Diff>({
      path: `${path}/versions/diff?from=${from}&to=${to}&limit=${limit}${more}${query}`,
    });
    if (status !== 200) throw new Error(text);
    changes.push(...body.changes);
    cursor = body.nextCursor;
  }
  return changes;
}

describe('the versions of a Dataset', () => {
  it('show each change, newest first, with its count and content id', async () => {
    const { path, dataset } = await service.newDataset();
    const { id } = await service.newExample(path);
    await patch(path, id, 'other');
    await remove(path, id);
    const { body } = await service.call<{ versions: DatasetVersion[]; nextCursor: string | null }>({
      path: `${path}/versions`,
    });
    expect(body.nextCursor).toBeNull();
    expect(body.versions.map(({ version, exampleCount }) => [version, exampleCount])).toEqual([
      [3, 0],
      [2, 1],
      [1, 1],
      [0, 0],
    ]);
    const [last, , , first] = body.versions;
    expect(last?.contentId).toBe(first?.contentId);
    expect(first?.contentId).toBe(dataset.contentId);
    expect(new Set(body.versions.map(({ contentId }) => contentId)).size).toBe(3);
    const page = await service.call<{ versions: DatasetVersion[]; nextCursor: string }>({
      path: `${path}/versions?limit=3`,
    });
    const rest = await service.call<{ versions: DatasetVersion[] }>({
      path: `${path}/versions?cursor=${page.body.nextCursor}`,
    });
    expect([...page.body.versions, ...rest.body.versions]).toEqual(body.versions);
  });

  it('have one content id for the same Examples, whatever the order and however they came to be', async () => {
    const [one, other] = [await service.newDataset(), await service.newDataset()];
    await service.newExample(one.path, manualExample('a'));
    await service.newExample(one.path, manualExample('b'));
    const { id } = await service.newExample(other.path, manualExample('c'));
    await service.newExample(other.path, manualExample('a'));
    await patch(other.path, id, 'b');
    expect((await read(one.path)).contentId).toBe((await read(other.path)).contentId);
  });

  it('are read as they were, in lists and one by one', async () => {
    const { path } = await service.newDataset();
    const a = await service.newExample(path, manualExample('a'));
    service.clock.advance(5);
    const b = await service.newExample(path, manualExample('b'));
    const changed = (await patch(path, a.id, 'a2')).body;
    await remove(path, b.id);
    service.clock.advance(5);
    const c = await service.newExample(path, manualExample('c'));
    expect(await listAt(path, 0)).toEqual([]);
    expect(await listAt(path, 1)).toEqual([a]);
    expect(await listAt(path, 2)).toEqual([b, a]);
    expect(await listAt(path, 3)).toEqual([b, changed]);
    expect(await listAt(path, 4)).toEqual([changed]);
    expect(await listAt(path, 5)).toEqual([c, changed]);
    expect((await service.call({ path: `${path}/examples?version=6` })).status).toBe(404);
    const one = (version: number, id: string) => service.call({ path: `${path}/examples/${id}?version=${version}` });
    expect(await one(2, a.id)).toMatchObject({ status: 200, body: a });
    expect(await one(3, a.id)).toMatchObject({ status: 200, body: changed });
    expect(await one(3, b.id)).toMatchObject({ status: 200, body: b });
    expect(await one(4, b.id)).toMatchObject({ status: 404 });
    expect(await one(0, a.id)).toMatchObject({ status: 404 });
  });

  it('lose what is erased, also what was deleted before; the rest stays', async () => {
    const { path } = await service.newDataset();
    const a = await service.newExample(path, manualExample('a secret'));
    const b = await service.newExample(path, manualExample('b'));
    await patch(path, a.id, 'another secret');
    expect((await remove(path, a.id)).status).toBe(204);
    expect(await listAt(path, 1)).toHaveLength(1);
    expect((await remove(path, a.id, '?erase=true')).status).toBe(204);
    expect((await remove(path, a.id, '?erase=true')).status).toBe(204);
    expect(await listAt(path, 1)).toEqual([]);
    expect(await listAt(path, 3)).toEqual([b]);
    expect((await service.call({ path: `${path}/examples/${a.id}?version=1` })).status).toBe(404);
    // Nothing of the Example is left, neither its content nor the fields by which it could be recognized.
    const revisions = await revisionCollection(service.database).find({ exampleId: a.id }).toArray();
    expect(revisions).toHaveLength(2);
    for (const revision of revisions) {
      for (const field of ['body', 'signature', 'conversationId', 'derivationKey'])
        expect(revision).not.toHaveProperty(field);
    }
  });
});

describe('the difference of two versions', () => {
  it('is what was added, updated and removed between them, on pages of any size', async () => {
    const { path } = await service.newDataset();
    const [a, b, c] = [await service.newExample(path), await service.newExample(path), await service.newExample(path)];
    await patch(path, a.id, 'a2');
    await patch(path, a.id, 'a3');
    await remove(path, b.id);
    const d = await service.newExample(path);
    const passing = await service.newExample(path);
    await remove(path, passing.id);
    const { version } = await read(path);
    const expected = [
      { exampleId: a.id, change: 'updated', version: 5 },
      { exampleId: d.id, change: 'added', version: 7 },
      { exampleId: b.id, change: 'removed', version: 6 },
    ];
    for (const limit of [1, 2, 1000]) expect(await diffOf(path, 3, version, limit)).toEqual(expected);
    expect(await diffOf(path, 0, 3)).toEqual(
      [a, b, c].map(({ id }, index) => ({ exampleId: id, change: 'added', version: index + 1 })),
    );
    expect(await diffOf(path, 4, 4)).toEqual([]);
    expect(await diffOf(path, 3, 4)).toEqual([{ exampleId: a.id, change: 'updated', version: 4 }]);
  });

  it('holds the Examples before and after where they are asked for, on pages of any size', async () => {
    const { path } = await service.newDataset();
    const [a, b] = [await service.newExample(path, manualExample('a')), await service.newExample(path)];
    const changed = (await patch(path, a.id, 'a2')).body;
    await remove(path, b.id);
    const added = await service.newExample(path, manualExample('c'));
    const expected = [
      { exampleId: a.id, change: 'updated', version: 3, before: a, after: changed },
      { exampleId: added.id, change: 'added', version: 5, before: null, after: added },
      { exampleId: b.id, change: 'removed', version: 4, before: b, after: null },
    ];
    for (const limit of [1, 2, 50]) expect(await diffOf(path, 2, 5, limit, '&include=examples')).toEqual(expected);
    await remove(path, a.id, '?erase=true');
    const [erased] = await diffOf(path, 2, 3, 50, '&include=examples');
    expect(erased === undefined ? null : { before: erased.before, after: erased.after }).not.toMatchObject({
      before: a,
    });
  });

  it('ends a page with Examples early where they are large, and loses none', async () => {
    const { path } = await service.newDataset();
    const large = 'x'.repeat(3 * 1024 * 1024);
    for (let index = 0; index < 4; index += 1) {
      const examples = [manualExample(`${index}${large}`)];
      const made = await service.call({ method: 'POST', path: `${path}/examples/batch`, body: { examples } });
      expect(made.status).toBe(201);
    }
    const { body } = await service.call<Diff>({ path: `${path}/versions/diff?from=0&to=4&include=examples` });
    expect(body.changes).toHaveLength(2);
    const rest = await service.call<Diff>({
      path: `${path}/versions/diff?from=0&to=4&include=examples&cursor=${body.nextCursor}`,
    });
    expect([...body.changes, ...rest.body.changes].map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    expect(rest.body.nextCursor).toBeNull();
  });

  it.each([
    ['from=0&to=0&include=examples&limit=51', 400],
    ['from=0&to=0&include=examples&limit=50', 200],
    ['from=0&to=0&limit=1000', 200],
    ['from=0&to=0&include=all', 400],
    ['from=2&to=1', 400],
    ['from=0', 400],
    ['from=0&to=x', 400],
    ['from=0&to=9', 404],
  ])('of ?%s is %d', async (query, status) => {
    const { path } = await service.newDataset();
    expect((await service.call({ path: `${path}/versions/diff?${query}` })).status).toBe(status);
  });
});
