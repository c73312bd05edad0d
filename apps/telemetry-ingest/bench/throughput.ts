// node --conditions=clew-source bench/throughput.ts [seconds]
// Spans that one process takes in a second, up to the broker's confirm. The last line is JSON.
import { gzipSync } from 'node:zlib';
import { Agent } from 'node:http';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { readableSpan } from '../src/test-support/readable-spans.ts';
import { startIngestProcess, type IngestProcess } from './ingest-process.ts';
import { keepQueueEmpty } from './keep-queue-empty.ts';
import { post } from './post.ts';
import { createVhost } from './vhost.ts';

const SPANS_PER_BATCH = 512;
const DISTINCT_BATCHES = 16;
const CONNECTIONS = 6;
const WARM_UP_SECONDS = 3;

interface Load {
  name: string;
  headers: Record<string, string>;
  bodies: Buffer[];
}

function loads(): Load[] {
  const batches = Array.from({ length: DISTINCT_BATCHES }, (_, batch) =>
    Array.from({ length: SPANS_PER_BATCH }, (_span, index) => readableSpan(batch * SPANS_PER_BATCH + index)),
  );
  const protobuf = batches.map((spans) => Buffer.from(ProtobufTraceSerializer.serializeRequest(spans) ?? []));
  const json = batches.map((spans) => Buffer.from(JsonTraceSerializer.serializeRequest(spans) ?? []));
  const type = { 'content-type': 'application/x-protobuf' };
  const gzip = { 'content-encoding': 'gzip' };
  return [
    { name: 'protobuf', headers: type, bodies: protobuf },
    { name: 'protobuf+gzip', headers: { ...type, ...gzip }, bodies: protobuf.map((body) => gzipSync(body)) },
    { name: 'json', headers: { 'content-type': 'application/json' }, bodies: json },
  ];
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

async function send(ingest: IngestProcess, load: Load, seconds: number) {
  const statuses = new Map<number, number>();
  const endMs = performance.now() + seconds * 1000;
  const sender = async (first: number) => {
    for (let index = first; performance.now() < endMs; index += 1) {
      const body = load.bodies[index % DISTINCT_BATCHES] as Buffer;
      const { status } = await post(ingest, agent, '/v1/traces', load.headers, body);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => sender(index)));
  return statuses;
}

async function measure(ingest: IngestProcess, load: Load, seconds: number) {
  await send(ingest, load, WARM_UP_SECONDS);
  const cpuBefore = await ingest.cpuSeconds();
  const startMs = performance.now();
  const statuses = await send(ingest, load, seconds);
  const wallSeconds = (performance.now() - startMs) / 1000;
  const cpuSeconds = (await ingest.cpuSeconds()) - cpuBefore;
  const spans = (statuses.get(200) ?? 0) * SPANS_PER_BATCH;
  return {
    load: load.name,
    bytesPerSpan: Math.round((load.bodies[0] as Buffer).length / SPANS_PER_BATCH),
    spansPerSecond: Math.round(spans / wallSeconds),
    spansPerCpuSecond: Math.round(spans / cpuSeconds),
    statuses: Object.fromEntries(statuses),
    rssMiB: Math.round((await ingest.rssBytes()) / 2 ** 20),
  };
}

const vhost = await createVhost();
const nodeArguments = (process.env['INGEST_NODE_ARGUMENTS'] ?? '').split(' ').filter((part) => part !== '');
const ingest = await startIngestProcess(vhost.amqpUrl, { nodeArguments });
const stopEmptying = await keepQueueEmpty(vhost.amqpUrl);
const results = [];
for (const load of loads().filter(({ name }) => (process.env['LOAD'] ?? name) === name)) {
  results.push(await measure(ingest, load, Number(process.argv[2] ?? 8)));
}
await stopEmptying();
await ingest.stop();
await vhost.remove();
agent.destroy();
process.stdout.write(`${JSON.stringify(results)}\n`);
