import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@clew/persistence';
import { useTestEnvironment } from '@clew/testing';
import { openTestDatabase } from '../test-support/open-test-database.ts';
import { incarnate, type Resource } from './resource.ts';
import { createResourceStore, type ResourceStore } from './resources.store.ts';

const environment = useTestEnvironment();
let database: Database;
let store: ResourceStore;

beforeAll(async () => {
  database = await openTestDatabase(environment);
  store = createResourceStore(database);
});

afterAll(() => database.close());

async function wanted(id: string): Promise<Resource> {
  const resource = incarnate({ id, node: 'node-1', kind: 'engine', spec: {}, wantedBy: 'prj' }, undefined, 1, 1);
  await database.withTransaction((tx) => store.put(tx, resource));
  return resource;
}

describe('what an agent writes', () => {
  it('counts no more once another has taken its node over', async () => {
    const resource = await wanted('node-1/engine/vllm');
    const old = await store.claim(resource, resource.claimEpoch + 1, 1);
    const fresh = await store.claim(resource, resource.claimEpoch + 2, 2);
    expect(fresh).toBeDefined();
    expect(await store.succeed(old!.fence, { version: 'stale' }, true, 3)).toBe(false);
    expect(await store.report(old!.fence, { stage: 'stale' }, 3)).toBe(false);
    expect(await store.fail(old!.resource, old!.fence, { code: 'STALE', message: '' }, 'never', 3)).toBe(false);
    expect(await store.removed(old!.fence, 3)).toBe(false);
    expect(await store.claim(resource, resource.claimEpoch + 1, 4)).toBeUndefined();
    expect(await store.report(fresh!.fence, { stage: 'fresh' }, 5)).toBe(true);
  });

  it('counts no more once nobody wants what it made', async () => {
    const resource = await wanted('node-1/engine/llama.cpp');
    const claimed = await store.claim(resource, 1, 1);
    await database.withTransaction((tx) => store.release(tx, resource, 2));
    expect(await store.succeed(claimed!.fence, {}, true, 3)).toBe(false);
    expect(await store.get(resource.id)).toMatchObject({ desired: 'absent', state: 'removing', outcome: null });
  });
});
