// node --conditions=clew-source bench/memory.ts [seconds]
// The most memory that one process takes under loads that are far beyond the normal. The last line is JSON.
import { Agent } from 'node:http';
import { gzipSync } from 'node:zlib';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { readableSpan } from '../src/test-support/readable-spans.ts';
import { startIngestProcess, type IngestProcess } from './ingest-process.ts';
import { keepQueueEmpty } from './keep-queue-empty.ts';
import { post } from './post.ts';
import { createVhost } from './vhost.ts';

const MIB = 2 ** 20;
const SAMPLE_INTERVAL_MS = 50;

interface Load {
  name: string;
  path?: string;
  headers: Record<string, string>;
  /** Made only when it is needed, since it takes a while. */
  body: () => Buffer;
  connections: number;
}

const PROTOBUF = { 'content-type': 'application/x-protobuf' };
const JSON_TYPE = { 'content-type': 'application/json' };
const GZIP = { 'content-encoding': 'gzip' };

/** A body of about a size: the same batch over and over, as protobuf allows. */
function protobufOf(bytes: number, spanCount = 512): Buffer {
  const batch = Buffer.from(ProtobufTraceSerializer.serializeRequest(spans(spanCount)) ?? []);
  return Buffer.concat(Array.from({ length: Math.max(1, Math.floor(bytes / batch.length)) }, () => batch));
}

function jsonOf(bytes: number): Buffer {
  const batch = JSON.parse(Buffer.from(JsonTraceSerializer.serializeRequest(spans(512)) ?? []).toString());
  const group = JSON.stringify(batch.resourceSpans[0]);
  return Buffer.from(
    `{"resourceSpans":[${Array(Math.ceil(bytes / group.length))
      .fill(group)
      .join(',')}]}`,
  );
}

function spans(count: number) {
  return Array.from({ length: count }, (_, index) => readableSpan(index));
}

/** One span with one attribute that holds very many empty values. */
function emptyValues(bytes: number): Buffer {
  const values = Array(Math.floor(bytes / 3))
    .fill('{}')
    .join(',');
  const span = `{"traceId":"${'a'.repeat(32)}","spanId":"${'b'.repeat(16)}","startTimeUnixNano":"1","attributes":[{"key":"a","value":{"arrayValue":{"values":[${values}]}}}]}`;
  return Buffer.from(`{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}]}]}`);
}

function importFile(bytes: number, lineBytes: number): Buffer {
  const line = `${JSON.stringify({ messages: [{ role: 'user', content: 'word '.repeat(lineBytes / 5) }] })}\n`;
  return Buffer.from(line.repeat(Math.ceil(bytes / line.length)));
}

function loads(importPath: string): Load[] {
  return [
    { name: 'ten times the normal load', headers: PROTOBUF, body: () => protobufOf(620_000), connections: 60 },
    { name: 'one span a request', headers: PROTOBUF, body: () => protobufOf(1, 1), connections: 300 },
    { name: 'protobuf of 4 MiB', headers: PROTOBUF, body: () => protobufOf(4 * MIB), connections: 20 },
    { name: 'protobuf of 64 MiB', headers: PROTOBUF, body: () => protobufOf(63 * MIB), connections: 12 },
    {
      name: 'protobuf of 250 MiB, gzipped',
      headers: { ...PROTOBUF, ...GZIP },
      body: () => gzipSync(protobufOf(250 * MIB), { level: 1 }),
      connections: 12,
    },
    { name: 'JSON of 4 MiB', headers: JSON_TYPE, body: () => jsonOf(3.9 * MIB), connections: 20 },
    { name: 'JSON of 64 MiB', headers: JSON_TYPE, body: () => jsonOf(60 * MIB), connections: 12 },
    { name: 'empty values, 4 MiB', headers: JSON_TYPE, body: () => emptyValues(3.9 * MIB), connections: 20 },
    { name: 'empty values, 64 MiB', headers: JSON_TYPE, body: () => emptyValues(60 * MIB), connections: 12 },
    {
      name: 'a gzip bomb',
      headers: { ...PROTOBUF, ...GZIP },
      body: () => gzipSync(Buffer.alloc(600 * MIB)),
      connections: 12,
    },
    {
      name: 'imports, lines of 4 MB',
      path: importPath,
      headers: {},
      body: () => importFile(40 * MIB, 4_000_000),
      connections: 12,
    },
    {
      name: 'imports, lines of 2 KB',
      path: importPath,
      headers: {},
      body: () => importFile(40 * MIB, 2_000),
      connections: 12,
    },
  ];
}

async function measure(ingest: IngestProcess, load: Load, seconds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const body = load.body();
  const statuses = new Map<string, number>();
  let peakBytes = 0;
  const timer = setInterval(
    () => void ingest.rssBytes().then((bytes) => (peakBytes = Math.max(peakBytes, bytes))),
    SAMPLE_INTERVAL_MS,
  );
  const endMs = performance.now() + seconds * 1000;
  const sender = async () => {
    while (performance.now() < endMs) {
      const { status, retryAfter } = await post(ingest, agent, load.path ?? '/v1/traces', load.headers, body);
      const key = status === 503 && retryAfter === undefined ? '503 without retry-after' : String(status);
      statuses.set(key, (statuses.get(key) ?? 0) + 1);
      if (status === 503) await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  await Promise.all(Array.from({ length: load.connections }, sender));
  clearInterval(timer);
  agent.destroy();
  return {
    load: load.name,
    bodyMiB: Math.round(body.length / MIB),
    peakRssMiB: Math.round(peakBytes / MIB),
    statuses: Object.fromEntries(statuses),
  };
}

const vhost = await createVhost();
const ingest = await startIngestProcess(vhost.amqpUrl, {
  nodeArguments: (process.env['INGEST_NODE_ARGUMENTS'] ?? '').split(' ').filter((part) => part !== ''),
});
const stopEmptying = await keepQueueEmpty(vhost.amqpUrl);
const results = [];
const only = process.env['LOAD'];
for (const load of loads(ingest.importPath).filter(({ name }) => only === undefined || name.includes(only))) {
  const result = await measure(ingest, load, Number(process.argv[2] ?? 8));
  process.stderr.write(`${JSON.stringify(result)}\n`);
  results.push(result);
}
const metrics = await (await fetch(`${ingest.url}/metrics`)).text();
process.stderr.write(
  `${metrics
    .split('\n')
    .filter((line) => line.startsWith('clew_ingest_'))
    .join('\n')}\n`,
);
await stopEmptying();
await ingest.stop();
await vhost.remove();
process.stdout.write(`${JSON.stringify(results)}\n`);
