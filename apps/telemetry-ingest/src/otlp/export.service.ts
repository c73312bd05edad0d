import type { IncomingMessage } from 'node:http';
import { parseJson } from '@clew/http';
import type { ByteBudget } from '../byte-budget.ts';
import { decompressedBody, type BodyLimits } from '../receive-body.ts';
import type { PublishSpans, SpanOrigin } from '../span-publisher.ts';
import { countDataPoints, countDataPointsJson } from './count-data-points.ts';
import { decodeLogsJson, decodeTracesJson } from './decode-json.ts';
import { decodeLogs, decodeTraces } from './decode-protobuf.ts';
import { partsOf, type DecodedExport } from './decoded.ts';
import { MAX_MESSAGE_BYTES } from './limits.ts';
import { encodingOf, type OtlpEncoding } from './media-type.ts';
import { encodeExportResponse, type RejectedField } from './partial-success.ts';

/** An attribute of the greatest depth takes several levels of JSON for each of its own. */
const MAX_OTLP_JSON_DEPTH = 128;

export interface ExportDependencies {
  publish: PublishSpans;
  budget: ByteBudget;
  limits: BodyLimits;
}

export interface ExportResponse {
  contentType: string;
  body: Buffer;
}

export interface ExportService {
  traces(request: IncomingMessage, origin: SpanOrigin): Promise<ExportResponse>;
  logs(request: IncomingMessage, origin: SpanOrigin): Promise<ExportResponse>;
  metrics(request: IncomingMessage): Promise<ExportResponse>;
}

interface Decoders {
  protobuf(bytes: Uint8Array): DecodedExport;
  json(body: unknown): DecodedExport;
}

/** Takes OTLP exports: an answer means that what was accepted is on a durable queue. */
export function createExportService({ publish, budget, limits }: ExportDependencies): ExportService {
  async function store(
    request: IncomingMessage,
    origin: SpanOrigin,
    decoders: Decoders,
    field: RejectedField,
  ): Promise<ExportResponse> {
    const encoding = encodingOf(request);
    return await withBody(request, async (bytes) => {
      const decoded =
        encoding === 'json' ? decoders.json(parseJson(bytes, MAX_OTLP_JSON_DEPTH)) : decoders.protobuf(bytes);
      await publishAll(origin, decoded);
      return encodeExportResponse(
        { field, rejectedCount: decoded.rejectedCount, errorMessage: [...decoded.reasons].join('; ') },
        encoding,
      );
    });
  }

  async function publishAll(origin: SpanOrigin, decoded: DecodedExport): Promise<void> {
    const published: Promise<void>[] = [];
    for (const part of partsOf(decoded.groups, MAX_MESSAGE_BYTES)) published.push(publish(origin, part));
    await Promise.all(published);
  }

  async function withBody<Result>(request: IncomingMessage, use: (bytes: Buffer) => Promise<Result>): Promise<Result> {
    const reservation = budget.open();
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of decompressedBody(request, limits)) {
        reservation.grow(chunk.length);
        chunks.push(chunk);
      }
      return await use(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    } finally {
      reservation.release();
    }
  }

  return {
    traces: (request, origin) =>
      store(request, origin, { protobuf: decodeTraces, json: decodeTracesJson }, 'rejectedSpans'),
    logs: (request, origin) =>
      store(request, origin, { protobuf: decodeLogs, json: decodeLogsJson }, 'rejectedLogRecords'),
    async metrics(request) {
      const encoding = encodingOf(request);
      return await withBody(request, async (bytes) => refuseMetrics(bytes, encoding));
    },
  };
}

function refuseMetrics(bytes: Buffer, encoding: OtlpEncoding): ExportResponse {
  const rejectedCount = encoding === 'json' ? countDataPointsJson(parseJson(bytes)) : countDataPoints(bytes);
  const errorMessage = 'Metrics are not stored; send traces and GenAI events only';
  return encodeExportResponse({ field: 'rejectedDataPoints', rejectedCount, errorMessage }, encoding);
}
