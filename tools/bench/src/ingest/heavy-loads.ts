import { gzipSync } from 'node:zlib';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { PROJECT_ID } from './ingest-process.ts';
import { sampleSpans, SPANS_PER_REQUEST } from './workload.ts';

/** Request that one telemetry-ingest process receives again and again, on `connections` connections. */
export interface HeavyLoad {
  name: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Creates the body; called only when needed, because it takes a while. */
  body(): Buffer;
  connections: number;
}

const MIB = 1024 * 1024;
const PROTOBUF = { 'content-type': 'application/x-protobuf' };
const JSON_TYPE = { 'content-type': 'application/json' };
const GZIP = { 'content-encoding': 'gzip' };
const TRACES = '/v1/traces';
const IMPORT = `/v1/projects/${PROJECT_ID}/conversations/import`;

/** Loads far beyond normal in number, in size, or in the size of the parsed body. */
export const HEAVY_LOADS: readonly HeavyLoad[] = [
  traces('ten times the normal', 60, PROTOBUF, () => protobufOf(1, SPANS_PER_REQUEST)),
  traces('one span a request', 300, PROTOBUF, () => protobufOf(1, 1)),
  traces('protobuf of 4 MiB', 20, PROTOBUF, () => protobufOf(4 * MIB)),
  traces('protobuf of 63 MiB', 12, PROTOBUF, () => protobufOf(63 * MIB)),
  traces('protobuf of 250 MiB, gzip', 12, { ...PROTOBUF, ...GZIP }, () =>
    gzipSync(protobufOf(250 * MIB), { level: 1 }),
  ),
  traces('JSON of 4 MiB', 20, JSON_TYPE, () => jsonOf(3.9 * MIB)),
  traces('JSON of 60 MiB', 12, JSON_TYPE, () => jsonOf(60 * MIB)),
  traces('empty values, 4 MiB', 20, JSON_TYPE, () => emptyValues(3.9 * MIB)),
  traces('empty values, 60 MiB', 12, JSON_TYPE, () => emptyValues(60 * MIB)),
  traces('a gzip bomb', 12, { ...PROTOBUF, ...GZIP }, () => gzipSync(Buffer.alloc(600 * MIB))),
  { name: 'imports, lines of 4 MB', path: IMPORT, headers: {}, connections: 12, body: () => importFile(4_000_000) },
  { name: 'imports, lines of 2 KB', path: IMPORT, headers: {}, connections: 12, body: () => importFile(2_000) },
];

function traces(name: string, connections: number, headers: HeavyLoad['headers'], body: () => Buffer): HeavyLoad {
  return { name, path: TRACES, headers, body, connections };
}

/** Same batch repeated up to a size; concatenated protobuf messages are one valid message. */
function protobufOf(bytes: number, spanCount = SPANS_PER_REQUEST): Buffer {
  const batch = Buffer.from(
    ProtobufTraceSerializer.serializeRequest(sampleSpans(1, 'heavy').slice(0, spanCount)) ?? [],
  );
  return Buffer.concat(Array.from({ length: Math.max(1, Math.floor(bytes / batch.length)) }, () => batch));
}

function jsonOf(bytes: number): Buffer {
  const text = Buffer.from(JsonTraceSerializer.serializeRequest(sampleSpans(1, 'heavy')) ?? []).toString();
  const { resourceSpans } = JSON.parse(text) as { resourceSpans: object[] };
  const group = JSON.stringify(resourceSpans[0]);
  const groups = Array<string>(Math.ceil(bytes / group.length)).fill(group);
  return Buffer.from(`{"resourceSpans":[${groups.join(',')}]}`);
}

/** One span with one attribute that holds very many empty values. */
function emptyValues(bytes: number): Buffer {
  const values = Array<string>(Math.floor(bytes / 3))
    .fill('{}')
    .join(',');
  const ids = `"traceId":"${'a'.repeat(32)}","spanId":"${'b'.repeat(16)}","startTimeUnixNano":"1"`;
  const span = `{${ids},"attributes":[{"key":"a","value":{"arrayValue":{"values":[${values}]}}}]}`;
  return Buffer.from(`{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}]}]}`);
}

function importFile(lineBytes: number): Buffer {
  const line = `${JSON.stringify({ messages: [{ role: 'user', content: 'word '.repeat(lineBytes / 5) }] })}\n`;
  return Buffer.from(line.repeat(Math.ceil((40 * MIB) / line.length)));
}
