import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Example } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import { connectMongo, nativeDb, type Database } from '@clew/persistence';
import { restoreDump, silentLogger, useTestEnvironment } from '@clew/testing';
import { migrateWithKills } from '@clew/testing-host';
import { migrations } from './migrations.ts';
import { startTestService, type TestService } from './test-support/service.ts';

/** The last migration of that version. */
const LATEST_THEN = '0003-idempotency';
const DUMPS = join(import.meta.dirname, 'test-support/dumps');
const NOW = new Date();
const logger = silentLogger();
const environment = useTestEnvironment();

interface Answered {
  project: string;
  deleted: string;
  posted: object;
  /** Answers of the older version, by path. */
  reads: Record<string, unknown>;
}

async function restoredInto(name: string): Promise<Database> {
  const database = await connectMongo({ url: environment.mongoUrl, database: name, appName: 'test', logger });
  await restoreDump(nativeDb(database.connection), join(DUMPS, 'before-due-removals.ndjson.gz'));
  // The answers that are kept for a day were kept just now.
  for (const kept of ['idempotency_keys', 'idempotency_replies']) {
    await nativeDb(database.connection)
      .collection(kept)
      .updateMany({}, { $set: { at: NOW } });
  }
  return database;
}

describe('a database of the version before due removals', () => {
  let answered: Answered;
  let service: TestService;

  beforeAll(async () => {
    answered = readJson(await readFile(join(DUMPS, 'before-due-removals.json'), 'utf8')) as Answered;
    await (await restoredInto(environment.database)).close();
    service = await startTestService(environment);
  });

  afterAll(() => service.stop());

  it('answers every read as that version did', async () => {
    const projectId = answered.project;
    expect(Object.keys(answered.reads)).toHaveLength(8);
    for (const [path, body] of Object.entries(answered.reads)) {
      const answer = await service.call({ path, projectId });
      expect({ path, status: answer.status, body: answer.body }).toMatchObject({
        path,
        status: 200,
        body: stable(body),
      });
    }
  });

  it('still knows what was asked for, and what was deleted', async () => {
    const { project: projectId, deleted, posted, reads } = answered;
    const [path] = Object.keys(reads).filter((each) => /^\/datasets\/dst_[^/?]+$/.test(each));
    expect((await service.call({ path: `/datasets/${deleted}`, projectId })).status).toBe(404);
    const headers = { 'idempotency-key': 'once' };
    const examples = `${path}/examples`;
    const { body } = await service.call<Example>({ method: 'POST', path: examples, projectId, headers, body: posted });
    expect(Object.keys(reads)).toContain(`${examples}/${body.id}`);
    const removed = await service.call({ method: 'DELETE', path: `/datasets/${deleted}`, projectId });
    expect(removed.status).toBe(204);
  });
});

/** Cursors are sealed with the secret of a deployment. */
function stable(body: unknown): object {
  const { nextCursor: _sealed, ...rest } = body as Record<string, unknown>;
  return rest;
}

it('migrations that are killed before they are noted leave, run again, what those leave that ran through', async () => {
  const dump = join(DUMPS, 'before-due-removals.ndjson.gz');
  const { through, killed, kills } = await migrateWithKills(environment, dump, migrations);
  expect(kills).toEqual(migrations.map(({ id }) => id).filter((id) => id > LATEST_THEN));
  expect(killed).toEqual(through);
  expect(Object.keys(through)).toEqual(expect.arrayContaining(['datasets', 'examples', 'example_revisions']));
});
