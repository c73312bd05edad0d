import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { eventually, useTestEnvironment } from '@clew/testing';
import { OTHER_PROJECT_ID, startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
const LINE = '{"payload":{"input":{"type":"text","text":"a line"}}}\n';
let service: TestService;
let target: string;
let otherTarget: string;
let open: Socket[] = [];

beforeAll(async () => {
  service = await startTestService(environment, { maxRunningImports: 4 });
  target = `${(await service.newDataset()).path}/imports?format=jsonl`;
  otherTarget = `${(await service.newDataset(OTHER_PROJECT_ID)).path}/imports?format=jsonl`;
});

afterEach(() => {
  for (const socket of open) socket.destroy();
  open = [];
});

afterAll(() => service.stop());

/** Announces the import of a large file, and sends only this much of it. */
async function begin(text: string): Promise<Socket> {
  const socket = service.transfers.beginUpload(target, { expect: '100-continue' });
  open.push(socket);
  // Any data is a sign that the service handles the request.
  await once(socket, 'data');
  socket.write(text);
  return socket;
}

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;
const importAs = () => statusOf(service.transfers.upload(target, LINE));
const importAsOther = () => statusOf(service.transfersOf(OTHER_PROJECT_ID).upload(otherTarget, LINE));

it('files that are announced, and do not come, hold no place', async () => {
  for (let count = 0; count < 8; count += 1) await begin('');
  expect([await importAs(), await importAsOther()]).toEqual([200, 200]);
});

it('one project never has all places, and is told to come back while it has its own', async () => {
  await eventually(async () => {
    await begin(LINE);
    const { status, headers } = await service.transfers.upload(target, LINE);
    expect([status, headers['retry-after']]).toEqual([429, '10']);
  });
  expect(await importAsOther()).toBe(200);
});

it('a sender that is cut off gives its place to the next', async () => {
  await eventually(async () => {
    await begin(LINE);
    expect(await importAs()).toBe(429);
  });
  open.shift()?.destroy();
  await eventually(async () => expect(await importAs()).toBe(200));
});
