import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Dataset, Example } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { manualExample, startTestService, type TestService } from '../test-support/service.ts';
import type { BatchResult } from './batch.service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const post = <Body = Record<string, unknown>>(path: string, examples: unknown, query = '') =>
  service.call<Body>({ method: 'POST', path: `${path}/examples/batch${query}`, body: { examples } });
const read = async (path: string) => (await service.call<Dataset>({ path })).body;
const keyed = (derivationKey: string, text: string) =>
  manualExample(text, { source: { kind: 'manual', externalRef: 'x', derivationKey } });
const WRONG = { source: { kind: 'conversation', traceIds: ['t'] }, payload: { input: { type: 'text', text: '' } } };

describe('a batch', () => {
  it('of 1,000 Examples is answered in its order, and is one version', async () => {
    const { path } = await service.newDataset();
    const given = Array.from({ length: 1_000 }, (_, index) => manualExample(`${index}`));
    const { status, body } = await post<{ examples: Example[] }>(path, given);
    expect(status).toBe(201);
    expect(body.examples.map(({ payload }) => payload)).toEqual(given.map(({ payload }) => payload));
    expect(await read(path)).toMatchObject({ exampleCount: 1_000, version: 1 });
  });

  it('takes nothing where one entry is wrong, and names every field of every entry', async () => {
    const { path } = await service.newDataset();
    const { status, body } = await post(path, [manualExample(), WRONG, manualExample(), { ...WRONG, tags: [''] }]);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: 'Bad Request',
      message: 'source.conversationId is required for conversation sources',
      details: [
        { path: 'body.examples.1.source.conversationId' },
        { path: 'body.examples.3.source.conversationId' },
        { path: 'body.examples.3.tags.0' },
      ],
    });
    expect(await read(path)).toMatchObject({ exampleCount: 0, version: 0 });
  });

  it('takes what is right where it may be partial, and says what is wrong with the rest', async () => {
    const { path } = await service.newDataset();
    const { status, body } = await post<{ results: BatchResult[] }>(
      path,
      [manualExample('a'), WRONG, null, manualExample('b')],
      '?partial=true',
    );
    expect(status).toBe(200);
    expect(body.results).toMatchObject([
      { index: 0, outcome: 'created', id: expect.stringMatching(/^ex_/) },
      { index: 1, error: { error: 'Bad Request', code: 'VALIDATION_FAILED' } },
      { index: 2, error: { details: [{ path: 'body.examples.2' }] } },
      { index: 3, outcome: 'created' },
    ]);
    expect(await read(path)).toMatchObject({ exampleCount: 2 });
  });

  it.each([
    ['none', []],
    ['1,001', Array.from({ length: 1_001 }, () => manualExample())],
    ['an object', {}],
  ])('of %s is 400', async (_name, examples) => {
    const { path } = await service.newDataset();
    expect((await post(path, examples)).status).toBe(400);
    expect((await post(path, examples, '?partial=true')).status).toBe(400);
  });

  it('is 404 where there is no such Dataset, also with nothing in it to be taken', async () => {
    expect((await post(`/datasets/${newId('dst')}`, [manualExample()])).status).toBe(404);
    expect((await post(`/datasets/${newId('dst')}`, [WRONG], '?partial=true')).status).toBe(404);
  });
});

describe('an upsert by derivationKey', () => {
  it('keeps both Examples where it is not asked for', async () => {
    const { path } = await service.newDataset();
    await post(path, [keyed('a', '1')]);
    await post(path, [keyed('a', '2')]);
    expect(await read(path)).toMatchObject({ exampleCount: 2 });
  });

  it('updates, skips or fails; and a repeat of the same changes nothing', async () => {
    const { path } = await service.newDataset();
    const [first] = (await post<{ examples: Example[] }>(path, [keyed('a', '1')])).body.examples;
    const skipped = await post<{ examples: Example[] }>(path, [keyed('a', '2'), keyed('b', '1')], '?onConflict=skip');
    expect(skipped.body.examples[0]).toEqual(first);
    const updated = await post<{ examples: Example[] }>(path, [keyed('a', '3')], '?onConflict=update');
    expect(updated.body.examples[0]).toMatchObject({ id: first?.id, payload: { input: { text: '3' } } });
    const before = await read(path);
    expect((await post(path, [keyed('a', '3')], '?onConflict=update')).status).toBe(201);
    expect(await read(path)).toEqual(before);
    const failed = await post(path, [keyed('c', '1'), keyed('a', '4')], '?onConflict=fail');
    expect(failed).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: [{ path: 'body.examples.1.source.derivationKey' }] },
    });
    expect(await read(path)).toMatchObject({ exampleCount: 2 });
  });

  it('is 409 where the key names more than one Example, for that entry alone where it may be partial', async () => {
    const { path } = await service.newDataset();
    await post(path, [keyed('a', '1'), keyed('a', '2')]);
    expect(await post(path, [keyed('a', '3')], '?onConflict=update')).toMatchObject({ status: 409 });
    const { body } = await post<{ results: BatchResult[] }>(
      path,
      [keyed('a', '3'), keyed('b', '1')],
      '?onConflict=update&partial=true',
    );
    expect(body.results).toMatchObject([{ error: { error: 'Conflict', code: 'CONFLICT' } }, { outcome: 'created' }]);
  });

  it('of one key by many callers at once leaves one Example', async () => {
    const { path } = await service.newDataset();
    const other = await startTestService(environment);
    const upsert = (by: TestService, index: number) =>
      by.call({
        ...{ method: 'POST', path: `${path}/examples/batch?onConflict=update` },
        body: { examples: [keyed('a', `${index}`)] },
      });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => upsert(index % 2 === 0 ? service : other, index)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await read(path)).toMatchObject({ exampleCount: 1 });
    await other.stop();
  });
});
