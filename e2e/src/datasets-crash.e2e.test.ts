import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Dataset, DatasetImportReport, DatasetVersion, Example } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { killAndAwaitRecovery } from './support/chaos.ts';
import { shortenTransactions, usualTransactions } from './support/database.ts';
import { allExamples, createTestDataset, manualExample, textsOf } from './support/datasets.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';
import { untilAnswered } from './support/until-answered.ts';

const KILLS = Number(process.env['CLEW_CRASH_KILLS'] ?? 2);
const WRITERS = 6;
const IMPORTS = 3;
/** Lines of each import: 10,000 in the long tier, where the Dataset that is removed is larger, too. */
const LINES_OF_IMPORT = Number(process.env['CLEW_CRASH_LINES'] ?? 3_000);
/** Lines of an import that are refused: every tenth one. */
const BROKEN_LINES = LINES_OF_IMPORT / 10;
const VALID_LINES = LINES_OF_IMPORT - BROKEN_LINES;
const TIMEOUT_MS = 600_000;

/** Ids of the Examples that a writer has created, and of those that it has deleted again. */
interface Written {
  created: string[];
  deleted: Set<string>;
}

/**
 * Creates Examples, one by one and in batches, and deletes some of them, until the signal. A request without an answer
 * is repeated with the same key.
 */
async function write(project: TestProject, path: string, writer: number, signal: AbortSignal): Promise<Written> {
  const written: Written = { created: [], deleted: new Set() };
  for (let index = 0; !signal.aborted; index += 1) {
    const key = `crash-${writer}-${index}`;
    if (index % 5 === 4) {
      const id = written.created[index % written.created.length] ?? '';
      await untilAnswered(() => project.call(`${path}/examples/${id}`, { method: 'DELETE' }), 204);
      written.deleted.add(id);
    } else if (index % 7 === 6) {
      const examples = Array.from({ length: 20 }, (_, number) => manualExample(`${key} ${number}`));
      const headers = { 'idempotency-key': key };
      const request = { body: { examples }, headers };
      const { body } = await untilAnswered(
        () => project.call<{ examples: Example[] }>(`${path}/examples/batch`, request),
        201,
      );
      written.created.push(...body.examples.map(({ id }) => id));
    } else {
      const request = { body: manualExample(key), headers: { 'idempotency-key': key } };
      const { body } = await untilAnswered(() => project.call<Example>(`${path}/examples`, request), 201);
      written.created.push(body.id);
    }
  }
  return written;
}

/** Work that goes on in a Dataset while the service is killed. */
interface UnderWay<Result> {
  project: TestProject;
  path: string;
  result: Promise<Result>;
}

const stopping = new AbortController();
let writing: UnderWay<Written[]>;
let importing: UnderWay<DatasetImportReport[]>;
let removing: UnderWay<unknown>;

async function startWriting(): Promise<UnderWay<Written[]>> {
  const project = await createTestProject('datasets crash');
  const { path } = await createTestDataset(project);
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(project, path, writer, stopping.signal));
  return { project, path, result: Promise.all(writers) };
}

/** Starts the imports, and resolves once some lines have been stored. */
async function startImporting(): Promise<UnderWay<DatasetImportReport[]>> {
  const project = await createTestProject('import crash');
  const { path } = await createTestDataset(project);
  const lineOf = (writer: number, index: number) =>
    index % 10 === 9 ? '{broken' : JSON.stringify(manualExample(`${writer} ${index} ${'x'.repeat(200)}`));
  const imports = Array.from({ length: IMPORTS }, async (_, writer) => {
    const body = Array.from({ length: LINES_OF_IMPORT }, (_line, index) => lineOf(writer, index)).join('\n');
    const headers = { 'idempotency-key': `import ${writer}`, 'content-type': 'application/x-ndjson' };
    const ask = () => project.call<DatasetImportReport>(`${path}/imports?format=jsonl`, { body, headers });
    return (await untilAnswered(ask, 200)).body;
  });
  const expectSomeStored = async () => {
    const { body } = await project.call<Dataset>(path);
    expect(body.exampleCount).toBeGreaterThan(0);
    return body.exampleCount;
  };
  expect(await eventually(expectSomeStored, { timeoutMs: 60_000 })).toBeLessThan(IMPORTS * VALID_LINES);
  return { project, path, result: Promise.all(imports) };
}

/** Creates a Dataset of a thousand Examples more than an import has. */
async function createLargeDataset(): Promise<{ project: TestProject; path: string }> {
  const project = await createTestProject('datasets removal');
  const { path } = await createTestDataset(project);
  for (let batch = 0; batch <= LINES_OF_IMPORT / 1_000; batch += 1) {
    const examples = Array.from({ length: 1_000 }, (_, index) => manualExample(`${batch} ${index}`));
    await project.call(`${path}/examples/batch`, { body: { examples } });
  }
  return { project, path };
}

function startRemoving({ project, path }: { project: TestProject; path: string }): UnderWay<unknown> {
  return { project, path, result: project.call(path, { method: 'DELETE' }).catch(() => undefined) };
}

// Runs all work at the same time, because each kill takes as long as the service needs to start again.
beforeAll(async () => {
  await shortenTransactions();
  const large = await createLargeDataset();
  [writing, importing] = await Promise.all([startWriting(), startImporting()]);
  removing = startRemoving(large);
  try {
    for (let kill = 0; kill < KILLS; kill += 1) await killAndAwaitRecovery({ kind: 'app', name: 'datasets-svc' });
  } finally {
    stopping.abort();
  }
}, TIMEOUT_MS);

afterAll(() => usualTransactions());

describe('kill -9 of datasets-svc', () => {
  it(
    'while Examples are created, batched and deleted loses nothing that was acknowledged, adds nothing twice, and leaves count and versions as a recount gives them',
    async () => {
      const { project, path, result } = writing;
      const written = await result;
      const deleted = new Set(written.flatMap((one) => [...one.deleted]));
      const expected = written.flatMap(({ created }) => created).filter((id) => !deleted.has(id));
      const examples = await allExamples(project, path);
      expect(examples.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
      const { body: dataset } = await project.call<Dataset>(path);
      expect(dataset.exampleCount).toBe(expected.length);
      const { body } = await project.call<{ versions: DatasetVersion[] }>(`${path}/versions?limit=1`);
      expect(body.versions).toEqual([
        expect.objectContaining({
          version: dataset.version,
          contentId: dataset.contentId,
          exampleCount: expected.length,
        }),
      ]);
    },
    TIMEOUT_MS,
  );

  it(
    'during imports with an Idempotency-Key loses and doubles no line when they are sent again, and each reports its whole file',
    async () => {
      const { project, path, result } = importing;
      for (const report of await result) {
        expect(report).toMatchObject({ imported: VALID_LINES, updated: 0, skipped: 0 });
        expect(report.refusedCount).toBe(BROKEN_LINES);
      }
      expect((await project.call<Dataset>(path)).body.exampleCount).toBe(IMPORTS * VALID_LINES);
      const texts = textsOf(await allExamples(project, path));
      expect([texts.length, new Set(texts).size]).toEqual([IMPORTS * VALID_LINES, IMPORTS * VALID_LINES]);
    },
    TIMEOUT_MS,
  );

  it(
    'does not stop the removal of a Dataset',
    async () => {
      const { project, path, result } = removing;
      await result;
      await untilAnswered(() => project.call(path, { method: 'DELETE' }), 204);
      expect((await project.call(path)).status).toBe(404);
    },
    TIMEOUT_MS,
  );
});
