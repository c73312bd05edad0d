import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { QUEUES, type QueueSpec } from '@clew/messaging';
import { useTestEnvironment } from '@clew/testing';
import { attribute, requestOf, spanMessage } from '../test-support/protobuf.ts';
import { PROTOBUF, startTestIngest, type TestIngest } from '../test-support/service.ts';

const MIB = 1024 * 1024;
const QUIET_MS = 60_000;
const [FLOODING, OTHER] = ['01', '02'].map((number) => `prj_${number}${'0'.repeat(24)}`) as [string, string];
const environment = useTestEnvironment();
let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startTestIngest(environment);
});
beforeEach(async () => {
  ingest.clock.advance(QUIET_MS);
  await ingest.takeRecords();
});
afterAll(() => ingest.stop());

async function tell(project: string, ...texts: string[]): Promise<void> {
  const body = requestOf(...texts.map((text) => spanMessage(attribute('said', [1, text]))));
  const { status } = await ingest.send({ headers: PROTOBUF, body, identityProject: project });
  expect(status).toBe(200);
}

/** Takes what waits on a lane; returns the words of the records. */
async function saidOn(lane: QueueSpec): Promise<unknown[]> {
  return (await ingest.takeRecords([lane])).spans.map(({ record }) => record.attributes['said']);
}

const flood = (length: number) => Array.from({ length }, () => 'x'.repeat(MIB));

it('messages of a project that sends much go to the bulk lane, and those of others to the usual one', async () => {
  await tell(FLOODING, ...flood(20));
  await tell(OTHER, 'little');
  await tell(FLOODING, 'more');
  const [usual, bulk] = [await saidOn(QUEUES.spansReceived), await saidOn(QUEUES.spansReceivedBulk)];
  expect(usual.at(-1)).toBe('little');
  expect(usual.length).toBeLessThan(5);
  expect(bulk.at(-1)).toBe('more');
  expect(usual.length + bulk.length).toBe(22);
});

it('a project that was quiet for some seconds is back on the usual lane', async () => {
  await tell(FLOODING, ...flood(5));
  ingest.clock.advance(1_000);
  await tell(FLOODING, 'still much');
  ingest.clock.advance(QUIET_MS);
  await tell(FLOODING, 'little');
  const [usual, bulk] = [await saidOn(QUEUES.spansReceived), await saidOn(QUEUES.spansReceivedBulk)];
  expect(usual.at(-1)).toBe('little');
  expect(bulk.at(-1)).toBe('still much');
});
