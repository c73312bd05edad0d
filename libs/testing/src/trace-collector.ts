import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Span as a collector received it. */
export interface CollectedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  /** Traces that it is linked to. */
  linked: string[];
}

export interface TraceCollector {
  /** URL for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  spans: CollectedSpan[];
  /** Raw bytes of all requests, which contain texts unchanged. */
  received: Buffer[];
  stop(): Promise<void>;
}

/** Starts a collector of OTLP traces (HTTP, protobuf) on the loopback interface. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const received: Buffer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      received.push(body);
      if (request.url === '/v1/traces') spans.push(...spansOf(body));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    received,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Decodes an `ExportTraceServiceRequest` by its field numbers. */
function spansOf(request: Buffer): CollectedSpan[] {
  return fieldsOf(request, 1).flatMap((resourceSpans) => {
    const attributes = fieldsOf(resourceSpans, 1).flatMap((resource) => fieldsOf(resource, 1));
    const service = attributes.find((attribute) => textOf(attribute, 1) === 'service.name');
    const name = service === undefined ? '' : fieldsOf(service, 2).map((value) => textOf(value, 1));
    return fieldsOf(resourceSpans, 2)
      .flatMap((scopeSpans) => fieldsOf(scopeSpans, 2))
      .map((span) => ({
        service: String(name),
        ...{ traceId: hexOf(span, 1), spanId: hexOf(span, 2), parentSpanId: hexOf(span, 4), name: textOf(span, 5) },
        linked: fieldsOf(span, 13).map((link) => hexOf(link, 1)),
      }));
  });
}

const textOf = (message: Buffer, field: number) => (fieldsOf(message, field)[0] ?? '').toString();
const hexOf = (message: Buffer, field: number) => fieldsOf(message, field)[0]?.toString('hex') ?? '';

const [VARINT, FIXED_64, DELIMITED, FIXED_32] = [0, 1, 2, 5];

/** Returns the values of one length-delimited field of a protobuf message. */
function fieldsOf(message: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const type = tag % 8;
    if (type === VARINT) varint();
    else if (type === FIXED_64) at += 8;
    else if (type === FIXED_32) at += 4;
    else if (type === DELIMITED) {
      const length = varint();
      if (Math.floor(tag / 8) === wanted) found.push(message.subarray(at, at + length));
      at += length;
    } else throw new Error(`Not a protobuf message: wire type ${type}`);
  }
  return found;
}
