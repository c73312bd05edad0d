import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readJson } from '@clew/kernel';
import { connectMongo, nativeDb, type Database } from '@clew/persistence';
import { restoreDump, silentLogger, useTestEnvironment } from '@clew/testing';
import { migrateWithKills } from '@clew/testing-host';
import { migrations } from './migrations.ts';
import { startTestService, type TestService } from './test-support/service.ts';

/** The last migration of that version. */
const LATEST_THEN = '0005-runtime';
const DUMPS = join(import.meta.dirname, 'test-support/dumps');
const logger = silentLogger();
/** The database lets it expire whenever it likes. */
const UNEQUAL = ['conversation_prefixes'];
const environment = useTestEnvironment();

interface Answered {
  project: string;
  /** Answers of the older version, by path. */
  reads: Record<string, object>;
}

async function restoredInto(name: string): Promise<Database> {
  const database = await connectMongo({ url: environment.mongoUrl, database: name, appName: 'test', logger });
  await restoreDump(nativeDb(database.connection), join(DUMPS, 'before-day-tokens.ndjson.gz'));
  return database;
}

describe('a database of the version before tokens were summed by day', () => {
  let answered: Answered;
  let service: TestService;

  beforeAll(async () => {
    answered = readJson(await readFile(join(DUMPS, 'before-day-tokens.json'), 'utf8')) as Answered;
    await (await restoredInto(environment.database)).close();
    service = await startTestService(environment);
  });

  afterAll(() => service.stop());

  it('answers every read as that version did', async () => {
    const { project: projectId, reads } = answered;
    expect(Object.keys(reads)).toHaveLength(6);
    for (const [path, body] of Object.entries(reads)) {
      const answer = await service.call({ projectId, path: `/v1/projects/${projectId}/models${path}` });
      expect({ path, status: answer.status, body: answer.body }).toMatchObject({ path, status: 200, body });
    }
  });

  it('has the sums of its days from what was counted by model', async () => {
    const sums = await nativeDb(service.database.connection).collection('usage_days').find().toArray();
    expect(sums).toMatchObject([{ projectId: answered.project, day: '2026-01-01', origin: 'caller', tokens: 10 }]);
  });
});

it('migrations that are killed before they are noted leave, run again, what those leave that ran through', async () => {
  const dump = join(DUMPS, 'before-day-tokens.ndjson.gz');
  const { through, killed, kills } = await migrateWithKills(environment, dump, migrations, UNEQUAL);
  expect(kills).toEqual(migrations.map(({ id }) => id).filter((id) => id > LATEST_THEN));
  expect(killed).toEqual(through);
});
