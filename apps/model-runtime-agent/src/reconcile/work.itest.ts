import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { createLogger } from '@clew/runtime';
import { useTestEnvironment } from '@clew/testing';
import { createResourceStore, incarnate } from '@clew/model-runtime';
import { openTestDatabase } from '../test-support/database.ts';
import type { Worker } from './task.ts';
import { createWork } from './work.ts';

const environment = useTestEnvironment();
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(environment);
});

afterAll(() => database.close());

it('a failure that nobody foresaw is told without its details, which the log has under the id that was told', async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'agent', version: '0', level: 'info', destination });
  const broken: Worker = {
    present: () => Promise.reject(new Error('secret path', { cause: new Error('its cause') })),
    absent: () => Promise.reject(new Error('not asked for')),
  };
  const store = createResourceStore(database);
  const work = createWork({
    ...{ store, logger, clock: systemClock, epoch: 1 },
    workers: { engine: broken, artifact: broken, service: broken },
  });
  const wanted = incarnate(
    { id: 'node-1/artifact/a', node: 'node-1', kind: 'artifact', spec: {}, wantedBy: 'prj_a' },
    undefined,
    1,
    1,
  );
  await database.withTransaction((tx) => store.put(tx, wanted));
  await work(wanted, new AbortController().signal, {
    ...{ onReady: () => undefined, onChanged: () => undefined, isAgentEnding: () => false },
  });
  const { state, error } = (await store.get(wanted.id)) ?? {};
  expect({ state, code: error?.code }).toEqual({ state: 'failed', code: 'INTERNAL_ERROR' });
  expect(error?.message).not.toContain('secret path');
  const [, failureId = 'none'] = /failureId ([\da-f-]{36})$/.exec(error?.message ?? '') ?? [];
  const found = lines.filter((line) => line.includes(failureId)).map((line) => JSON.parse(line) as object);
  expect(found).toMatchObject([{ level: 'error', failureId, resourceId: wanted.id, generation: 1 }]);
  expect(lines.join()).toMatch(/secret path.*its cause/);
});
