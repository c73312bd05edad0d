import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { useTestEnvironment } from '@clew/testing';
import { openTestDatabase } from '../../test-support/service.ts';
import { createUsageStore } from './usage.store.ts';
import type { CountedUsage } from './usage.ts';

const environment = useTestEnvironment();
const DAY = '2026-01-01';
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(environment);
});

afterAll(() => database.close());

function counted(projectId: string, model: string, more: Partial<CountedUsage> = {}): CountedUsage {
  return {
    ...{ projectId, model, day: DAY, operation: 'chat', origin: 'system' },
    ...{ calls: 1, failedCalls: 0, inputTokens: 10, outputTokens: 5 },
    ...more,
  };
}

describe('the tokens of a day', () => {
  it('are those of all models together, by project, day and origin, whoever adds at the same time', async () => {
    const usage = createUsageStore(database);
    const [projectId, other] = [newId('prj'), newId('prj')];
    const adding = Array.from({ length: 10 }, (_, index) =>
      usage.add([
        counted(projectId, `loop/${index}`),
        counted(projectId, 'loop/same'),
        counted(projectId, 'loop/same', { origin: 'caller' }),
        counted(projectId, 'loop/same', { day: '2026-01-02' }),
        counted(other, 'loop/same'),
      ]),
    );
    await Promise.all(adding);
    expect(await usage.tokensOf({ projectId, day: DAY, origin: 'system' })).toBe(300);
    expect(await usage.tokensOf({ projectId, day: DAY, origin: 'caller' })).toBe(150);
    expect(await usage.tokensOf({ projectId, day: '2026-01-02', origin: 'system' })).toBe(150);
    expect(await usage.tokensOf({ projectId: newId('prj'), day: DAY, origin: 'system' })).toBe(0);
  });
});
