import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelAvailability } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { service } from '@clew/testing/identities';
import { resourceModel } from '@clew/model-runtime';
import { capabilityModel } from './endpoint/index.ts';
import { at } from './test-support/runtime-calls.ts';
import { useTestRuntime, type RuntimeUser, type TestRuntime } from './test-support/runtime-service.ts';

const current = useTestRuntime({ endpoint: true });
let runtime: TestRuntime;

beforeAll(() => {
  runtime = current();
});

/** Longer than the minimum interval between two writes of a service's last use. */
const IDLE_MS = 6_000;
const ASK_EVERY_MS = 100;

async function availabilityOf(user: RuntimeUser, modelId: string): Promise<ModelAvailability> {
  const { status, body } = await user.call<ModelAvailability>({ path: `/availability?model=self/${modelId}` });
  expect(status).toBe(200);
  return body;
}

async function availabilityInternally(user: RuntimeUser, modelId: string): Promise<ModelAvailability | undefined> {
  const { status, body } = await user.call<{ availabilities: ModelAvailability[] }>({
    method: 'POST',
    path: `//internal/v1/projects/${user.projectId}/models/availability`,
    principal: service('datasets-svc'),
    body: { models: [`self/${modelId}`] },
  });
  expect(status).toBe(200);
  return body.availabilities[0];
}

const stateOf = async (user: RuntimeUser) => (await user.runtime()).services.map(({ state }) => state);
const chat = (user: RuntimeUser, modelId: string) =>
  user.call({
    method: 'POST',
    path: '//v1/chat/completions',
    body: { model: `self/${modelId}`, messages: [{ role: 'user', content: 'hi' }] },
  });

async function lastUsedAt(modelId: string): Promise<number | undefined> {
  const resource = await resourceModel(runtime.database.connection).findOne({ 'spec.modelId': modelId });
  return resource?.lastUsedAt;
}

/** Makes the loop check the requested models before they are due. */
async function haveTheLoopLook(user: RuntimeUser): Promise<void> {
  const records = capabilityModel(runtime.database.connection);
  await records.updateMany({ projectId: user.projectId }, { $set: { dueAt: 1 } });
  runtime.startEndpoint();
  await eventually(async () => expect(await records.countDocuments({ dueAt: 1 })).toBe(0), { timeoutMs: 20_000 });
}

async function giveBack(user: RuntimeUser, modelId: string): Promise<void> {
  await user.call({ method: 'DELETE', path: at(modelId) });
  await user.call({ method: 'DELETE', path: '/engines/llama.cpp' });
}

describe('whoever asks for the availability of a local model', () => {
  it('neither keeps its service awake nor wakes it, and a call does', async () => {
    const user = runtime.user();
    await user.startModel('tiny-asleep', { idleTimeoutMs: IDLE_MS });
    const startedAtMs = Date.now();
    expect(await availabilityOf(user, 'tiny-asleep')).toMatchObject({
      ...{ checkedAt: expect.any(Number), capabilities: { contextLength: 2_048 } },
    });
    const used = await lastUsedAt('tiny-asleep');
    await eventually(
      async () => {
        await availabilityOf(user, 'tiny-asleep');
        await availabilityInternally(user, 'tiny-asleep');
        expect(await stateOf(user)).toEqual(['stopped']);
      },
      { timeoutMs: 30_000, intervalMs: ASK_EVERY_MS },
    );
    expect(Date.now() - startedAtMs).toBeLessThan(2.5 * IDLE_MS);
    expect(await lastUsedAt('tiny-asleep')).toBe(used);

    const known = await availabilityOf(user, 'tiny-asleep');
    expect(known).toMatchObject({ available: true, capabilities: { chat: true } });
    expect(await availabilityInternally(user, 'tiny-asleep')).toMatchObject({ available: true });
    await haveTheLoopLook(user);
    expect((await user.runtime()).services).toMatchObject([{ state: 'stopped', stopReason: 'idle' }]);

    expect((await chat(user, 'tiny-asleep')).status).toBe(200);
    expect(await stateOf(user)).toEqual(['ready']);
    expect((await availabilityOf(user, 'tiny-asleep')).checkedAt).toBe(known.checkedAt);
    await giveBack(user, 'tiny-asleep');
  });

  it('is told that it can be called where it sleeps and nothing was ever seen of it, and nothing is woken for that', async () => {
    const user = runtime.user();
    await user.startModel('tiny-unseen', { idleTimeoutMs: 1_000 });
    await user.untilService('tiny-unseen', 'stopped');
    for (const ask of [availabilityOf, availabilityInternally]) {
      expect(await ask(user, 'tiny-unseen')).toMatchObject({
        ...{ available: true, reason: null, capabilities: null, checkedAt: null },
      });
    }
    expect(await stateOf(user)).toEqual(['stopped']);
    await giveBack(user, 'tiny-unseen');
  });

  it('is not told of one that was stopped by somebody', async () => {
    const user = runtime.user();
    await user.startModel('tiny-ended');
    await user.call({ method: 'DELETE', path: at('tiny-ended', '/service') });
    expect(await availabilityOf(user, 'tiny-ended')).toMatchObject({
      available: false,
      reason: 'service_not_running',
    });
    await giveBack(user, 'tiny-ended');
  });
});

describe('a probe', () => {
  it('is noted as one, so that what the engine does for it is not taken for use', async () => {
    const user = runtime.user();
    await user.startModel('tiny-busy', { idleTimeoutMs: IDLE_MS });
    const before = await lastUsedAt('tiny-busy');
    await availabilityOf(user, 'tiny-busy');
    const resource = await resourceModel(runtime.database.connection).findOne({ 'spec.modelId': 'tiny-busy' }).lean();
    expect(resource?.lastUsedAt).toBe(before);
    expect(resource?.probe?.untilMs).toBeGreaterThan(resource?.probe?.fromMs ?? Infinity);
    expect(resource?.probe?.untilMs).toBeLessThanOrEqual(Date.now());
    await giveBack(user, 'tiny-busy');
  });
});
