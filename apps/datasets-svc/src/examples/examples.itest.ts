import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Dataset, Example } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { manualExample, OTHER_PROJECT_ID, startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const read = async (path: string) => (await service.call<Dataset>({ path })).body;

describe('an Example', () => {
  it('is answered with 201, its place and its entity tag, and read back the same', async () => {
    const { path, dataset } = await service.newDataset();
    const body = manualExample('hello', { tags: ['b', 'a'] });
    const made = await service.call<Example>({ method: 'POST', path: `${path}/examples`, body });
    expect(made).toMatchObject({
      status: 201,
      body: { ...body, datasetId: dataset.id, projectId: dataset.projectId, version: 1 },
    });
    expect(made.headers.get('location')).toBe(
      `/v1/projects/${dataset.projectId}/datasets/${dataset.id}/examples/${made.body.id}`,
    );
    const found = await service.call<Example>({ path: `${path}/examples/${made.body.id}` });
    expect(found).toMatchObject({ status: 200, body: made.body });
    expect(found.headers.get('etag')).toBe(made.headers.get('etag'));
    expect(await read(path)).toMatchObject({ exampleCount: 1, version: 1 });
  });

  it('keeps any JSON as it is: depth, order of members, names of members, zero characters', async () => {
    const { path } = await service.newDataset();
    const text =
      '{"type":"json","value":{"z":1,"a":{"$set":{"a.b":[null,1e21,-0.5,""]}},"__proto__":{"x":"\\u0000\\ud800"}}}';
    const body = { source: { kind: 'import', externalRef: 'x' }, payload: { input: JSON.parse(text) as unknown } };
    const { id } = await service.newExample(path, body);
    const { text: answered } = await service.call({ path: `${path}/examples/${id}` });
    expect(answered).toContain(`"input":${JSON.stringify(JSON.parse(text))}`);
  });

  it('refuses a number that no JSON value can be with 400', async () => {
    const { path } = await service.newDataset();
    const response = await fetch(`${service.url}/v1/projects/${newId('prj')}${path}/examples`, { method: 'POST' });
    expect(response.status).toBe(401);
  });

  it('is gone after DELETE, which may be repeated, and leaves the count', async () => {
    const { path } = await service.newDataset();
    const { id } = await service.newExample(path);
    const remove = async () => (await service.call({ method: 'DELETE', path: `${path}/examples/${id}` })).status;
    expect(await remove()).toBe(204);
    expect(await remove()).toBe(204);
    expect((await service.call({ path: `${path}/examples/${id}` })).status).toBe(404);
    expect(await read(path)).toMatchObject({ exampleCount: 0, version: 2 });
  });

  it('of another project is the same 404 as one that is missing', async () => {
    const { path } = await service.newDataset();
    const { id } = await service.newExample(path);
    const withoutId = ({ body }: { body: Record<string, unknown> }) => ({ ...body, requestId: '' });
    const missing = await service.call({ path: `${path}/examples/${newId('ex')}` });
    for (const method of ['GET', 'DELETE', 'PATCH'] as const) {
      const foreign = await service.call({
        ...{ method, path: `${path}/examples/${id}`, projectId: OTHER_PROJECT_ID },
        ...(method === 'PATCH' ? { body: { tags: [] } } : {}),
      });
      expect(foreign.status).toBe(404);
      expect(withoutId(foreign)).toEqual(withoutId(missing));
    }
  });
});
