import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Dataset, Example } from '@clew/contracts';
import { createTcpFault, useTestEnvironment } from '@clew/testing';
import { keyWith, type Call } from '@clew/testing/identities';
import { CHAT_V1, manualExample, startTestService, type TestService } from './test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const post = (path: string, body: unknown, key: string, more: Partial<Call> = {}) =>
  service.call({ method: 'POST', path, body, headers: { 'idempotency-key': key }, ...more });
const read = async (path: string) => (await service.call<Dataset>({ path })).body;

describe('the same Idempotency-Key', () => {
  it('makes one Dataset, one Example and one batch, and answers each repeat alike', async () => {
    const { path } = await service.newDataset();
    const examples = Array.from({ length: 3 }, (_, index) => manualExample(`${index}`));
    const requests: [string, unknown, number][] = [
      ['/datasets', { name: 'once', schema: CHAT_V1 }, 201],
      [`${path}/examples`, manualExample(), 201],
      [`${path}/examples/batch`, { examples }, 201],
      [`${path}/examples/batch?partial=true`, { examples: [...examples, {}] }, 200],
    ];
    for (const [index, [at, body, status]] of requests.entries()) {
      const first = await post(at, body, `key ${index}`);
      const again = await post(at, body, `key ${index}`);
      expect([first.status, again.status]).toEqual([status, status]);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
    expect(await read(path)).toMatchObject({ exampleCount: 7, version: 3 });
  });

  it('makes one Example however many ask at once: the others are told to wait, or what came of it', async () => {
    const { path } = await service.newDataset();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => post(`${path}/examples`, manualExample(), 'at once')),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ body }) => (body as unknown as Example).id)).size).toBe(1);
    for (const { status, body } of answers.filter((one) => !made.includes(one))) {
      expect([status, body['code']]).toEqual([409, 'IDEMPOTENCY_KEY_IN_FLIGHT']);
    }
    expect(await read(path)).toMatchObject({ exampleCount: 1 });
  });

  it('with another body is 422, of another caller is another request', async () => {
    const { path } = await service.newDataset();
    await post(`${path}/examples`, manualExample('a'), 'k');
    expect(await post(`${path}/examples`, manualExample('b'), 'k')).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    const principal = { ...keyWith('models:manage'), id: `key_${'2'.repeat(26)}` } as never;
    expect((await post(`${path}/examples`, manualExample('b'), 'k', { principal })).status).toBe(201);
    expect(await read(path)).toMatchObject({ exampleCount: 2 });
  });

  it('may be used again after a refusal', async () => {
    const { path } = await service.newDataset();
    const batch = (text: string) => ({
      examples: [manualExample(text, { source: { kind: 'manual', externalRef: 'x', derivationKey: 'd' } })],
    });
    await post(`${path}/examples/batch`, batch('a'), 'first');
    const at = `${path}/examples/batch?onConflict=fail`;
    expect((await post(at, batch('b'), 'second')).status).toBe(409);
    expect((await post(at, batch('b'), 'second')).body['code']).toBe('CONFLICT');
  });

  it('adds nothing where the first write succeeded and nobody heard of it', async () => {
    const { hostname: host, port } = new URL(environment.mongoUrl);
    const fault = await createTcpFault({ target: { host, port: Number(port) } });
    const unlucky = await startTestService(environment, { mongoUrl: fault.through(environment.mongoUrl) });
    const { path } = await service.newDataset();
    const body = manualExample();
    const request = {
      method: 'POST',
      path: `${path}/examples`,
      body,
      headers: { 'idempotency-key': 'unheard' },
    } as const;
    const happened = fault.cutAfter('commitTransaction');
    await unlucky.call(request);
    await happened;
    expect(await service.call(request)).toMatchObject({ status: 201, body: { version: 1 } });
    expect(await read(path)).toMatchObject({ exampleCount: 1, version: 1 });
    await unlucky.stop();
    await fault.close();
  });
});
