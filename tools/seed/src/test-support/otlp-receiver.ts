import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';
import { z } from 'zod';

/** Part of opentelemetry-proto (trace/v1) that the tests use. */
const OTLP_PROTO = `
syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
message Scope { string name = 1; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; ArrayValue array_value = 5; }
}
message ArrayValue { repeated AnyValue values = 1; }
message Event { fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; }
message Status { string message = 2; int32 code = 3; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
  repeated Event events = 11; Status status = 15;
}`;
const RequestType = protobuf.parse(OTLP_PROTO).root.lookupType('Request');

const KeyValue = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const Hex = z.base64().transform((text) => Buffer.from(text, 'base64').toString('hex'));
const Span = z.object({
  traceId: Hex,
  spanId: Hex,
  parentSpanId: Hex.optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(KeyValue).default([]),
  events: z.array(z.object({ name: z.string() })).default([]),
  status: z.object({ code: z.number().default(0), message: z.string().optional() }).default({ code: 0 }),
});
const DecodedRequest = z.object({
  resourceSpans: z.array(
    z.object({ scopeSpans: z.array(z.object({ scope: z.object({ name: z.string() }), spans: z.array(Span) })) }),
  ),
});

export type ReceivedSpan = Omit<z.output<typeof Span>, 'attributes'> & {
  scopeName: string;
  attributes: Record<string, unknown>;
};

/** HTTP server in place of the gateway: it answers with the given statuses first, then always with 200. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  readonly requests: { path: string; headers: IncomingMessage['headers'] }[] = [];
  readonly #server: Server;

  private constructor(statuses: number[]) {
    this.#server = createServer((request, response) => {
      void readBody(request).then((body) => {
        this.requests.push({ path: request.url ?? '', headers: request.headers });
        const status = statuses.shift() ?? 200;
        if (status === 200) this.spans.push(...decode(body));
        response.writeHead(status, status === 503 ? { 'retry-after': '1' } : {}).end();
      });
    });
  }

  static async start(statuses: readonly number[] = []): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver([...statuses]);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

function decode(body: Buffer): ReceivedSpan[] {
  const decoded = RequestType.toObject(RequestType.decode(body), { longs: String, bytes: String });
  return DecodedRequest.parse(decoded).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => ({
        ...span,
        scopeName: scope.name,
        attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      })),
    ),
  );
}
