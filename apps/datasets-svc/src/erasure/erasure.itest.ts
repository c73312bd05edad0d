import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Dataset, Example } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { nativeDb } from '@clew/persistence';
import { storedText, useTestEnvironment } from '@clew/testing';
import { manualExample, PROJECT_ID, startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const SERVICE = { kind: 'service', id: 'telemetry-warehouse' } as const;

async function erase(conversationId: string) {
  const path = `//internal/v1/projects/${PROJECT_ID}/conversations/${conversationId}/examples`;
  const { status, body } = await service.call<{ removed: Record<string, number>; done: boolean }>({
    ...{ method: 'DELETE', path, principal: SERVICE },
  });
  expect(status).toBe(200);
  return body;
}

async function whereIs(word: string): Promise<string[]> {
  const texts = await storedText(nativeDb(service.database.connection));
  return [...texts].filter(([, text]) => text.includes(word)).map(([name]) => name);
}

const cameFrom = (conversationId: string, text: string) =>
  manualExample(text, { source: { kind: 'manual', externalRef: 'x', conversationId } });

it('takes the Examples of a conversation out of every version, and the answers that were kept for repeats', async () => {
  const { path } = await service.newDataset();
  const key = { 'idempotency-key': newId('req') };
  const posted = { method: 'POST', path: `${path}/examples`, headers: key, body: cameFrom('gone', 'zebra') } as const;
  const { body: gone } = await service.call<Example>(posted);
  const kept = await service.newExample(path, cameFrom('kept', 'other'));
  const replaced = await service.newExample(path, cameFrom('gone', 'zebra of before'));
  const change = { source: { kind: 'manual', externalRef: 'y' }, payload: { input: { type: 'text', text: 'own' } } };
  const patched = { method: 'PATCH', path: `${path}/examples/${replaced.id}`, body: change } as const;
  expect((await service.call(patched)).status).toBe(200);
  const deleted = await service.newExample(path, cameFrom('gone', 'zebra that was deleted'));
  await service.call({ method: 'DELETE', path: `${path}/examples/${deleted.id}` });
  const before = await service.call<Dataset>({ path });
  expect(await whereIs('zebra')).toEqual(expect.arrayContaining(['examples', 'example_revisions']));

  const { removed, done } = await erase('gone');
  expect({ removed, done }).toMatchObject({ removed: { examples: 1, revisions: 2, replies: 1 }, done: true });
  expect(await whereIs('zebra')).toEqual([]);
  const { body } = await service.call<{ examples: Example[] }>({ path: `${path}/examples` });
  expect(body.examples.map(({ id }) => id)).toEqual([replaced.id, kept.id]);
  const after = await service.call<Dataset>({ path });
  expect(after.body.exampleCount).toBe(before.body.exampleCount - 1);
  const first = await service.call<{ examples: Example[] }>({ path: `${path}/examples?version=2` });
  expect(first.body.examples.map(({ id }) => id)).toEqual([kept.id]);

  // The repeated request creates nothing and gets 404.
  expect((await service.call(posted)).status).toBe(404);
  expect((await service.call({ path: `${path}/examples/${gone.id}` })).status).toBe(404);
  expect((await erase('gone')).removed).toEqual({
    ...{ examples: 0, revisions: 0, replies: 0, decisions: 0, deadLetters: 0 },
  });
});

it('is not there for callers', async () => {
  const path = `//internal/v1/projects/${PROJECT_ID}/conversations/gone/examples`;
  expect((await service.call({ method: 'DELETE', path })).status).toBe(404);
});
