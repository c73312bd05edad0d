import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { PROJECT_PARTS, type ErasedBatch } from '@clew/contracts';
import { AppError, newId } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { fixedClock, silentLogger, useTestEnvironment } from '@clew/testing';
import { openTestDatabase } from '../test-support/gateway.ts';
import { eraseDue, type ErasePart, type ErasureLoopOptions } from './erasure-loop.ts';
import { createProjectErasureStore } from './project-erasures.store.ts';

const SETTLE_MS = 60_000;
const WORKSPACE = 'ws_1';
const environment = useTestEnvironment();
const clock = fixedClock(1_780_000_000_000);
let database: Database;
/** Names of the parts called, in order. */
let called: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase(environment);
});
afterAll(() => database.close());
beforeEach(() => {
  called = [];
});

const store = () => createProjectErasureStore(database);

function begin(): Promise<string> {
  const requestedBy = { kind: 'key', id: 'key_1' } as const;
  const erasure = { projectId: newId('prj'), workspaceId: WORKSPACE, requestedBy, nowMs: clock.now() };
  return database.withTransaction((tx) => store().insert(tx, erasure));
}

/** Parts that remove something in their first call, and have nothing left in their second. */
function partsThatHave(removed: ErasedBatch['removed'], special: Partial<Record<string, ErasePart>> = {}) {
  const parts = PROJECT_PARTS.map((part): [string, ErasePart] => [
    part,
    async () => {
      called.push(part);
      const isFirst = called.filter((one) => one === part).length === 1;
      return isFirst ? { removed, done: false } : { removed: {}, done: true };
    },
  ]);
  return { ...Object.fromEntries(parts), ...special } as ErasureLoopOptions['parts'];
}

const turn = (parts: ErasureLoopOptions['parts']) =>
  eraseDue({ erasures: store(), parts, clock, logger: silentLogger(), settleMs: SETTLE_MS });
const found = (erasureId: string) => store().find(WORKSPACE, erasureId);

it('a run goes through every service twice, each until it has nothing left, and is the receipt then', async () => {
  const erasureId = await begin();
  const parts = partsThatHave({ things: 3 });
  expect(await turn(parts)).toBe(1);
  expect(called).toEqual(PROJECT_PARTS.flatMap((part) => [part, part]));
  expect(await found(erasureId)).toMatchObject({ completedAt: null, position: { round: 2 } });
  expect(await turn(parts)).toBe(0);
  clock.advance(SETTLE_MS);
  expect(await turn(parts)).toBe(1);
  expect(called.slice(2 * PROJECT_PARTS.length)).toEqual([...PROJECT_PARTS]);
  expect(await found(erasureId)).toMatchObject({
    ...{ position: null, completedAt: clock.now() },
    services: Object.fromEntries(PROJECT_PARTS.map((part) => [part, { things: 3 }])),
  });
  clock.advance(24 * 3_600_000);
  expect(await turn(parts)).toBe(0);
});

it('one that a service is away for waits, and goes on where it was noted to be', async () => {
  const erasureId = await begin();
  const away: ErasePart = () => Promise.reject(new AppError('UPSTREAM_UNAVAILABLE', 'away'));
  await turn(partsThatHave({ things: 1 }, { knowledge: away }));
  expect(called).toEqual(['telemetry', 'telemetry', 'diagnostics', 'diagnostics', 'datasets', 'datasets']);
  called = [];
  clock.advance(3_600_000);
  await turn(partsThatHave({ things: 1 }));
  expect(called).toEqual(['knowledge', 'knowledge', 'models', 'models', 'identity', 'identity']);
  expect(await found(erasureId)).toMatchObject({
    services: { telemetry: { things: 1 }, datasets: { things: 1 }, knowledge: { things: 1 } },
  });
});
