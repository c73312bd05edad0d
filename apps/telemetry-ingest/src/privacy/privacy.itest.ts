import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { DEFAULT_MASKING, privacyChanged, type PrivacySettings } from '@clew/contracts';
import { eventually, useTestEnvironment } from '@clew/testing';
import { announceChange } from '../test-support/announce-change.ts';
import { PROJECT_ID } from '../test-support/decoding.ts';
import { readableSpan } from '../test-support/readable-spans.ts';
import { IMPORT_PATH, JSON_TYPE, PROTOBUF, startTestIngest, type TestIngest } from '../test-support/service.ts';

const environment = useTestEnvironment();
const MASKED: PrivacySettings = {
  masking: { ...DEFAULT_MASKING, enabled: true },
  contentCapture: 'full',
  salt: 'salt',
};
const STRUCTURE: PrivacySettings = { ...MASKED, contentCapture: 'structure' };
const CANARY = 'canary.bird@mail.com';
let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startTestIngest(environment);
});

afterEach(async () => {
  expect(ingest.budget.usedBytes).toBe(0);
  await ingest.takeRecords();
});

afterAll(() => ingest.stop());

/** Sets the privacy of the project, as a change at the warehouse does. */
async function change(privacy: PrivacySettings | undefined, by = ingest): Promise<void> {
  if (privacy === undefined) by.privacy.projects.delete(PROJECT_ID);
  else by.privacy.projects.set(PROJECT_ID, privacy);
  await announceChange(by.broker, privacyChanged);
}

const span = () => ({
  ...readableSpan(1),
  name: `chat with ${CANARY}`,
  attributes: {
    'session.id': `of ${CANARY}`,
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: `I am ${CANARY}` }] }]),
    'app.note': CANARY,
  },
});

const LOG = {
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'owner', value: { stringValue: CANARY } }] },
      scopeLogs: [
        {
          logRecords: [
            {
              ...{
                traceId: 'a'.repeat(32),
                spanId: 'b'.repeat(16),
                timeUnixNano: '1',
                eventName: 'gen_ai.user.message',
              },
              body: { kvlistValue: { values: [{ key: 'content', value: { stringValue: `I am ${CANARY}` } }] } },
            },
          ],
        },
      ],
    },
  ],
};

const LINE = JSON.stringify({ messages: [{ role: 'user', content: `I am ${CANARY}, order #W1234567` }] });

/** Sends the canary through every entry, and returns what is on the queue then. */
async function sendAll(): Promise<string> {
  const json = { headers: JSON_TYPE };
  const calls = [
    { headers: PROTOBUF, body: ProtobufTraceSerializer.serializeRequest([span()])! },
    { ...json, body: JsonTraceSerializer.serializeRequest([span()])! },
    { ...json, path: '/v1/logs', body: JSON.stringify(LOG) },
    { headers: { 'content-type': 'application/x-ndjson' }, path: IMPORT_PATH, body: LINE },
  ];
  for (const call of calls) expect(await ingest.send(call)).toMatchObject({ status: 200 });
  const records = await ingest.takeRecords();
  expect([...records.spans, ...records.logs]).toHaveLength(4);
  return JSON.stringify(records);
}

describe('a project that masks', () => {
  it('has nothing to mask on any queue, from any entry, as soon as the change is heard', async () => {
    expect(await sendAll()).toContain(CANARY);
    await change(MASKED);
    await eventually(async () => expect(await sendAll()).not.toContain(CANARY));
    const sent = await sendAll();
    expect(sent).not.toContain('canary.bird');
    expect(sent).toContain('I am [masked email], order #W1234567');
    expect(sent).toMatch(/"session\.id":"masked-[0-9a-f]{24}"/);
    expect(await sendAll()).toBe(sent);
  });

  it('keeps the structure of messages and no word of them, where it does not capture content', async () => {
    await change(STRUCTURE);
    await eventually(async () => expect(await sendAll()).not.toContain('I am'));
    const sent = await sendAll();
    expect(sent).not.toMatch(/canary|#W/);
    expect(sent).toContain('[not captured: ');
    expect(await sendAll()).toBe(sent);
  });

  it('is as any other after it has turned both off', async () => {
    await change(undefined);
    await eventually(async () => expect(await sendAll()).toContain(CANARY));
  });
});

describe('while it is not known what may be stored', () => {
  it('nothing is taken: neither at the start, nor after a change that cannot be read', async () => {
    let isAway = true;
    const other = await startTestIngest(environment, {
      before: () => {
        if (isAway) throw new Error('away');
      },
      variables: { PRIVACY_PATIENCE_MS: 50 },
    });
    const send = () => other.send({ headers: PROTOBUF, body: ProtobufTraceSerializer.serializeRequest([span()])! });
    expect(await send()).toMatchObject({ status: 503, body: { code: 'OVERLOADED' } });
    expect((await other.takeRecords()).spans).toEqual([]);
    other.privacy.projects.set(PROJECT_ID, MASKED);
    isAway = false;
    await eventually(async () => expect(await send()).toMatchObject({ status: 200 }));
    expect(JSON.stringify(await other.takeRecords())).not.toContain(CANARY);
    isAway = true;
    await change(STRUCTURE, other);
    await eventually(async () => expect(await send()).toMatchObject({ status: 503 }));
    isAway = false;
    await other.takeRecords();
    await eventually(async () => expect(await send()).toMatchObject({ status: 200 }));
    expect(JSON.stringify(await other.takeRecords())).not.toContain('I am');
    await other.stop();
  });
});
