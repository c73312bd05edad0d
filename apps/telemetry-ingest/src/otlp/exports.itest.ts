import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { JsonTraceSerializer, ProtobufLogsSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { useTestEnvironment } from '@clew/testing';
import { keyWith } from '@clew/testing/identities';
import { message, requestOf, SPAN_ID, spanMessage, TRACE_ID, type WireField } from '../test-support/protobuf.ts';
import { readableSpan } from '../test-support/readable-spans.ts';
import {
  GZIP,
  JSON_TYPE,
  PROTOBUF,
  startTestIngest,
  type Answer,
  type Call,
  type TestIngest,
} from '../test-support/service.ts';

const environment = useTestEnvironment();
const SPANS = Array.from({ length: 20 }, (_, index) => readableSpan(index));
const AS_PROTOBUF = ProtobufTraceSerializer.serializeRequest(SPANS)!;
const AS_JSON = JsonTraceSerializer.serializeRequest(SPANS)!;
let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startTestIngest(environment, { variables: { MAX_OTLP_DECOMPRESSED_BYTES: 8_000_000 } });
});

afterEach(async () => {
  expect(ingest.budget.usedBytes).toBe(0);
  await ingest.takeRecords();
});

afterAll(() => ingest.stop());

describe('POST /v1/traces', () => {
  it('spans are the same on the queue from protobuf, JSON and either with gzip', async () => {
    const taken = [];
    for (const [headers, body] of [
      [PROTOBUF, AS_PROTOBUF],
      [{ 'content-type': 'Application/Protobuf; x=y' }, AS_PROTOBUF],
      [{ ...PROTOBUF, 'content-encoding': 'GZIP' }, gzipSync(AS_PROTOBUF)],
      [{ ...JSON_TYPE, 'content-encoding': 'identity' }, AS_JSON],
      [{ ...JSON_TYPE, ...GZIP }, gzipSync(AS_JSON)],
    ] as const) {
      expect(await ingest.send({ headers, body })).toMatchObject({ status: 200 });
      taken.push((await ingest.takeRecords()).spans);
    }
    expect(taken[0]).toHaveLength(SPANS.length);
    for (const spans of taken) expect(spans).toEqual(taken[0]);
  });

  it('an answer has the media type of its request, and is empty where all was taken', async () => {
    const protobuf = await ingest.send({ headers: PROTOBUF, body: AS_PROTOBUF });
    expect(protobuf.headers['content-type']).toBe('application/x-protobuf');
    expect(protobuf.bytes).toHaveLength(0);
    const json = await ingest.send({ headers: JSON_TYPE, body: AS_JSON });
    expect(json.headers['content-type']).toBe('application/json');
    expect(json.body).toEqual({});
  });

  it('spans that are not valid are counted in the partial success with their reason, and the others are kept', async () => {
    const body = requestOf(spanMessage([1, 'short']), spanMessage(), spanMessage([2, Buffer.alloc(8)]));
    const { status, bytes } = await ingest.send({ headers: PROTOBUF, body });
    expect(status).toBe(200);
    expect(ProtobufTraceSerializer.deserializeResponse(bytes)).toMatchObject({
      partialSuccess: { rejectedSpans: 2, errorMessage: 'traceId is not valid; spanId is not valid' },
    });
    const span = { traceId: TRACE_ID, spanId: SPAN_ID, startTimeUnixNano: '5' };
    const spans = [span, { ...span, spanId: 'short' }];
    const json = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    expect((await ingest.send({ headers: JSON_TYPE, body: json })).body).toEqual({
      partialSuccess: { rejectedSpans: '1', errorMessage: 'spanId is not valid' },
    });
    expect((await ingest.takeRecords()).spans).toHaveLength(2);
  });

  it('an empty export is taken', async () => {
    expect(await ingest.send({ headers: PROTOBUF, body: '' })).toMatchObject({ status: 200 });
    expect((await ingest.takeRecords()).spans).toEqual([]);
  });

  it('an export of many messages arrives whole and in order', async () => {
    const spans = Array.from({ length: 3_000 }, (_, index) => readableSpan(index));
    await ingest.send({ headers: PROTOBUF, body: ProtobufTraceSerializer.serializeRequest(spans)! });
    const ids = (await ingest.takeRecords()).spans.map(({ record }) => record.spanId);
    expect(ids).toEqual(spans.map((span) => span.spanContext().spanId));
  });

  it('the official exporter is content with it', async () => {
    process.env['OTEL_EXPORTER_OTLP_COMPRESSION'] = 'gzip';
    const exporter = new OTLPTraceExporter({ url: `${ingest.url}/v1/traces`, headers: { ...ingest.identity() } });
    const result = await new Promise((resolve) => exporter.export(SPANS, resolve));
    await exporter.shutdown();
    expect(result).toEqual({ code: 0 });
    expect((await ingest.takeRecords()).spans).toHaveLength(SPANS.length);
  });
});

describe('POST /v1/logs', () => {
  it('takes the GenAI events of spans and counts all else', async () => {
    const logs = [
      { eventName: 'gen_ai.choice', body: { message: { content: 'hello' } } },
      { eventName: 'http.request', body: 'GET /' },
    ].map((log) => ({
      ...log,
      hrTime: [5, 6],
      hrTimeObserved: [5, 6],
      spanContext: { traceId: TRACE_ID, spanId: SPAN_ID, traceFlags: 1 },
      resource: SPANS[0]?.resource,
      instrumentationScope: { name: 'scope' },
      attributes: { 'gen_ai.provider.name': 'openai' },
      droppedAttributesCount: 0,
    }));
    const body = ProtobufLogsSerializer.serializeRequest(logs as never)!;
    const { bytes } = await ingest.send({ path: '/v1/logs', headers: PROTOBUF, body });
    expect(ProtobufLogsSerializer.deserializeResponse(bytes)).toMatchObject({
      partialSuccess: { rejectedLogRecords: 1, errorMessage: 'only GenAI events are stored' },
    });
    expect((await ingest.takeRecords()).logs).toMatchObject([
      {
        scopeName: 'scope',
        resource: { 'service.name': 'support-bot' },
        record: {
          traceId: TRACE_ID,
          spanId: SPAN_ID,
          eventName: 'gen_ai.choice',
          timeUnixNano: '5000000006',
          body: { message: { content: 'hello' } },
        },
      },
    ]);
  });
});

describe('POST /v1/metrics', () => {
  it('counts the data points of every kind of metric and says that none is stored', async () => {
    const twoPoints = message([1, ''], [1, '']);
    const scope = message(...[5, 7, 9, 10, 11].map((kind): WireField => [2, message([1, 'name'], [kind, twoPoints])]));
    const body = message([1, message([2, scope])]);
    const { status, bytes } = await ingest.send({ path: '/v1/metrics', headers: PROTOBUF, body });
    expect(status).toBe(200);
    expect(ProtobufTraceSerializer.deserializeResponse(bytes)).toMatchObject({
      partialSuccess: { rejectedSpans: 10, errorMessage: expect.stringContaining('Metrics are not stored') },
    });
    const gauge = { dataPoints: [{ asInt: '1' }, { asInt: '2' }] };
    const resourceMetrics = [
      {
        scopeMetrics: [
          {
            metrics: [
              { name: 'a', gauge },
              { name: 'b', sum: gauge },
            ],
          },
        ],
      },
    ];
    const json = await ingest.send({
      path: '/v1/metrics',
      headers: JSON_TYPE,
      body: JSON.stringify({ resourceMetrics }),
    });
    expect(json.body).toEqual({
      partialSuccess: { rejectedDataPoints: '4', errorMessage: expect.stringContaining('Metrics are not stored') },
    });
    expect(await ingest.takeRecords()).toEqual({ spans: [], logs: [] });
  });
});

describe('a request that is refused', () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const cases: [string, number, string, Call][] = [
    ['malformed protobuf', 400, 'MALFORMED_BODY', { headers: PROTOBUF, body: 'not protobuf' }],
    ['malformed JSON', 400, 'MALFORMED_BODY', { headers: JSON_TYPE, body: '{"resourceSpans":[' }],
    ['JSON of depth 1,000', 400, 'MALFORMED_BODY', { headers: JSON_TYPE, body: `${'['.repeat(1_000)}` }],
    ['an empty body that is said to be JSON', 400, 'MALFORMED_BODY', { headers: JSON_TYPE }],
    ['broken gzip', 400, 'MALFORMED_BODY', { headers: { ...PROTOBUF, ...GZIP }, body: 'no gzip' }],
    [
      'gzip that is cut',
      400,
      'MALFORMED_BODY',
      { headers: { ...PROTOBUF, ...GZIP }, body: gzipSync(AS_PROTOBUF).subarray(0, -20) },
    ],
    ['a gzip bomb', 413, 'PAYLOAD_TOO_LARGE', { headers: { ...PROTOBUF, ...GZIP }, body: bomb }],
    ['a body of 100 MB', 413, 'PAYLOAD_TOO_LARGE', { headers: PROTOBUF, body: Buffer.alloc(100_000_000) }],
    ['no media type', 415, 'UNSUPPORTED_MEDIA_TYPE', { body: AS_JSON }],
    ['another media type', 415, 'UNSUPPORTED_MEDIA_TYPE', { headers: { 'content-type': 'text/plain' }, body: '{}' }],
    [
      'another encoding',
      415,
      'UNSUPPORTED_ENCODING',
      { headers: { ...PROTOBUF, 'content-encoding': 'br' }, body: AS_PROTOBUF },
    ],
    ['no identity', 401, 'UNAUTHENTICATED', { headers: PROTOBUF, body: AS_PROTOBUF, principal: null }],
    [
      'a key without the scope',
      403,
      'FORBIDDEN',
      { headers: PROTOBUF, body: AS_PROTOBUF, principal: keyWith('workspace:read') },
    ],
    [
      'an identity without a project',
      400,
      'PROJECT_REQUIRED',
      { headers: PROTOBUF, body: AS_PROTOBUF, identityProject: undefined },
    ],
  ];

  it.each(cases)('%s is %i %s in the common body, on each path, and leaves nothing behind', async (...test) => {
    const [, status, code, call] = test;
    for (const path of ['/v1/traces', '/v1/logs', ...(code === 'PROJECT_REQUIRED' ? [] : ['/v1/metrics'])]) {
      const answer = await ingest.send({ ...call, path });
      expectCommonBody(answer, status, code);
    }
    expect(await ingest.takeRecords()).toEqual({ spans: [], logs: [] });
  });

  it('does not cost its connection, also where its body was not read', async () => {
    const body = Buffer.alloc(70_000_000);
    expect((await ingest.send({ headers: PROTOBUF, body })).status).toBe(413);
    expect((await ingest.send({ headers: PROTOBUF, body: AS_PROTOBUF })).status).toBe(200);
  });

  it('GET is 405 and another path 404', async () => {
    const get = await fetch(`${ingest.url}/v1/traces`, { headers: { ...ingest.identity() } });
    expect(get.status).toBe(405);
    expect(get.headers.get('allow')).toBe('POST');
    expect((await ingest.send({ path: '/v1/profiles', headers: PROTOBUF })).status).toBe(404);
  });
});

function expectCommonBody({ status, body, headers }: Answer, expectedStatus: number, code: string): void {
  expect({ status, body }).toEqual({
    status: expectedStatus,
    body: {
      ...{ error: expect.any(String), message: expect.any(String), code, requestId: expect.stringMatching(/^req_/) },
      ...(code === 'FORBIDDEN' ? { details: [{ path: 'scope', message: 'telemetry:write' }] } : {}),
    },
  });
  expect(headers['x-service-request-id']).toBe((body as { requestId: string }).requestId);
}
