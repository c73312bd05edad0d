import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { apiKeyChanged } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { silentLogger, storedText, useTestEnvironment } from '@clew/testing';
import { createEraseProject } from './erase-project.ts';
import { connectMongo, createIdempotencyStore, createOutbox, nativeDb, type Database } from './index.ts';

const environment = useTestEnvironment();
let database: Database;
const WORD = 'quagga';

beforeAll(async () => {
  const { mongoUrl: url, database: name } = environment;
  database = await connectMongo({ url, database: name, appName: 'test', logger: silentLogger() });
});

afterAll(() => database.close());

/** Fills the database with a project's documents, in all the forms that services use. */
async function fill(projectId: string, documents: number): Promise<void> {
  const db = nativeDb(database.connection);
  const numbered = Array.from({ length: documents }, (_, index) => index);
  await db.collection('owned').insertMany(numbered.map(() => ({ projectId, said: WORD })));
  await db.collection<{ _id: string }>('settings').insertOne({ _id: projectId, said: WORD } as never);
  const below = [':', '/'].flatMap((mark) => numbered.map((index) => `${projectId}${mark}${index}`));
  await db.collection<{ _id: string }>('keyed').insertMany(below.map((_id) => ({ _id, said: WORD })) as never);
  await database.withTransaction(async (tx) => {
    const message = { key: newId('evt'), projectId, requestId: null, occurredAt: 1, data: { keyId: newId('key') } };
    await createOutbox(database).append(tx, apiKeyChanged, message);
  });
  const scope = ['key', 'key_1', 'POST', `/v1/projects/${projectId}/things`];
  const outcome = await createIdempotencyStore(database, 'a secret of tests, of 32 bytes or more').begin({
    scope,
    key: 'k',
    fingerprint: 'f',
  });
  if ('reply' in outcome) throw new Error('It was answered already');
  await database.withTransaction((tx) =>
    outcome.attempt.record(tx, { status: 201, body: { said: WORD }, headers: { location: `/x/${projectId}` } }),
  );
}

/** Sets the outbox rows to the state in which the relay leaves them. */
const published = () =>
  nativeDb(database.connection)
    .collection('outbox')
    .updateMany({}, { $set: { state: 'published', publishedAt: new Date(), body: '' } });

const rest = async () => [...(await storedText(nativeDb(database.connection))).entries()];

it('takes all that names the project, in however many calls, and leaves the others as they are', async () => {
  const [gone, kept] = [newId('prj'), newId('prj')];
  await fill(gone, 2_500);
  await fill(kept, 3);
  await published();
  const eraseProject = createEraseProject(database, { turnMs: 0 });
  const sum: Record<string, number> = {};
  for (let calls = 0, done = false; !done; calls += 1) {
    const batch = await eraseProject(gone);
    for (const [name, count] of Object.entries(batch.removed)) sum[name] = (sum[name] ?? 0) + count;
    done = batch.done;
    // Each call makes progress, however little time it has.
    expect(calls).toBeLessThan(100);
  }
  expect(sum).toEqual({ owned: 2_500, settings: 1, keyed: 5_000, replies: 1 });
  const naming = (await rest()).filter(([, text]) => text.includes(gone)).map(([name]) => name);
  // The path of a request that gets no reply any more stays until it expires.
  expect(naming).toEqual(['idempotency_keys']);
  const left = new Map(await rest());
  for (const name of ['owned', 'settings', 'keyed']) expect(left.get(name)).toContain(kept);
  expect(await eraseProject(gone)).toEqual({ removed: {}, done: expect.any(Boolean) });
});

it('leaves what it is told to keep', async () => {
  const projectId = newId('prj');
  await nativeDb(database.connection).collection('receipts').insertOne({ projectId });
  expect(await createEraseProject(database, { keep: ['receipts'] })(projectId)).toEqual({ removed: {}, done: true });
});
