import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Dataset } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { CHAT_V1, startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;
let projectId: string;

beforeAll(async () => {
  service = await startTestService(environment);
});

beforeEach(() => {
  projectId = newId('prj');
  service.modelRuntime.isAway = false;
  service.modelRuntime.reasons.clear();
  service.modelRuntime.slow.clear();
  service.modelRuntime.asked.length = 0;
});

afterAll(() => service.stop());

const COLLECTING = { collectionObjective: 'learn_from_user_corrections' };
const make = (settings: object) => service.newDataset(projectId, settings);
const read = async (path: string) => await service.call<Dataset>({ path, projectId });
const setModel = (model: string, reason: null | 'no_json_mode') => {
  service.modelRuntime.reasons.set(model, reason);
  service.datasets.models.changed(projectId, model);
};

describe('the collectionStatus of a Dataset whose objective needs a model', () => {
  it('is ready as long as the model is available, in every answer, and else says what is missing', async () => {
    service.modelRuntime.reasons.set('loop/wise', null);
    const { dataset, path } = await make({ ...COLLECTING, collectionModel: 'loop/wise' });
    expect(dataset).toMatchObject({ collectionStatus: 'ready', blockedReason: null });
    setModel('loop/wise', 'no_json_mode');
    const blocked = {
      collectionStatus: 'setup_required',
      blockedReason: 'The model loop/wise is not available: it does not support JSON Mode',
    };
    expect((await read(path)).body).toMatchObject(blocked);
    const changed = await service.call({ method: 'PATCH', path, projectId, body: { name: 'renamed' } });
    expect(changed.body).toMatchObject({ name: 'renamed', ...blocked });
    const { body } = await service.call<{ datasets: Dataset[] }>({ path: '/datasets', projectId });
    expect(body.datasets).toEqual([expect.objectContaining(blocked)]);
    setModel('loop/wise', null);
    expect((await read(path)).body).toMatchObject({ collectionStatus: 'ready', blockedReason: null });
  });

  it('asks for service/auto as a judge, and never for a Dataset that needs no model', async () => {
    await make({ collectionObjective: 'preserve_successful_behavior', collectionModel: 'loop/wise' });
    await make({ ...COLLECTING, collectionEnabled: false });
    await make({});
    expect(service.modelRuntime.asked).toEqual([]);
    await make(COLLECTING);
    expect(service.modelRuntime.asked).toEqual([{ projectId, models: ['service/auto'], purpose: 'judgement' }]);
  });

  it('is asked for once for a page, and right on the first one, however many models it names', async () => {
    const models = Array.from({ length: 60 }, (_, index) => `loop/${index}`);
    for (const collectionModel of [...models, ...models.slice(0, 5)]) {
      service.modelRuntime.reasons.set(collectionModel, null);
      await make({ ...COLLECTING, collectionModel });
    }
    service.datasets.models.forgetAll();
    service.modelRuntime.asked.length = 0;
    const { body } = await service.call<{ datasets: Dataset[] }>({ path: '/datasets', projectId });
    expect(body.datasets.map(({ collectionStatus }) => collectionStatus)).toEqual(Array(65).fill('ready'));
    expect(service.modelRuntime.asked.map((asked) => asked.models.toSorted())).toEqual([models.toSorted()]);
  });

  it('is ready while nothing is known of its model, and what is known as soon as it is', async () => {
    service.modelRuntime.slow.add('loop/slow');
    const { dataset, path } = await make({ ...COLLECTING, collectionModel: 'loop/slow' });
    expect(dataset).toMatchObject({ collectionStatus: 'ready', blockedReason: null });
    service.modelRuntime.slow.clear();
    setModel('loop/slow', 'no_json_mode');
    expect((await read(path)).body).toMatchObject({ collectionStatus: 'setup_required' });
  });

  it('is that of the moment also where a create is repeated, and all else is the first answer', async () => {
    const create = async (more: object) =>
      await service.call<Dataset>({
        ...{ method: 'POST', path: '/datasets', projectId, headers: { 'idempotency-key': 'once' } },
        body: { name: 'once', schema: CHAT_V1, ...COLLECTING, collectionModel: 'loop/slow', ...more },
      });
    service.modelRuntime.isAway = true;
    const { body: first } = await create({});
    service.modelRuntime.isAway = false;
    for (const reason of ['no_json_mode', null] as const) {
      setModel('loop/slow', reason);
      const again = await create({});
      const { body: found } = await read(`/datasets/${first.id}`);
      const { collectionStatus, blockedReason } = found;
      expect(collectionStatus).toBe(reason === null ? 'ready' : 'setup_required');
      expect(again.body).toEqual({ ...first, collectionStatus, blockedReason });
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
  });

  it('is setup_required, and no error, while the model runtime is away and nothing was known before', async () => {
    service.modelRuntime.isAway = true;
    const { path } = await make(COLLECTING);
    const { status, body } = await read(path);
    expect({ status, ...body }).toMatchObject({
      status: 200,
      collectionStatus: 'setup_required',
      blockedReason: 'The model runtime cannot be asked now whether the model service/auto is available',
    });
    expect((await service.call({ path: '/datasets', projectId })).status).toBe(200);
  });

  it('is no part of the ETag: a change that nobody has overtaken goes through although the model went away', async () => {
    service.modelRuntime.reasons.set('loop/wise', null);
    const { path } = await make({ ...COLLECTING, collectionModel: 'loop/wise' });
    const etag = (await read(path)).headers.get('etag') ?? '';
    setModel('loop/wise', 'no_json_mode');
    expect((await read(path)).headers.get('etag')).toBe(etag);
    const headers = { 'if-match': etag };
    const change = { method: 'PATCH', path, projectId, body: { name: 'renamed' }, headers } as const;
    expect((await service.call(change)).status).toBe(200);
    expect((await service.call(change)).status).toBe(412);
  });
});
