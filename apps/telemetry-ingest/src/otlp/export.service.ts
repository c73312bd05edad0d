import type { IncomingMessage } from 'node:http';
import { receiveBody, type BodyLimits } from '@clew/http';
import type { Body } from '../body/body.ts';
import type { ByteBudget, RequestBytes } from '../body/byte-budget.ts';
import { gatherBody } from '../body/gather-body.ts';
import type { Spools } from '../body/spool.ts';
import type { OpenRecordPublisher } from '../publish/record-publisher.ts';
import type { SpanOrigin } from '../publish/span-message.ts';
import { ExportOutcome } from './export-outcome.ts';
import { countDataPointsJson } from './json/count-data-points.ts';
import { createJsonDecoder } from './json/decode-json.ts';
import { encodingOf } from './media-type.ts';
import { encodeExportResponse, type ExportResponse } from './partial-success.ts';
import { countDataPoints } from './protobuf/count-data-points.ts';
import { decodeProtobuf } from './protobuf/decode-protobuf.ts';
import { LOGS, TRACES, type Signal } from './signals.ts';

export interface ExportDependencies {
  openPublisher: OpenRecordPublisher;
  /** Throws QUOTA_EXCEEDED if a quota of the project is known to be used up. */
  requireOpen(projectId: string): void;
  budget: ByteBudget;
  spools: Spools;
  spoolThresholdBytes: number;
  limits: BodyLimits;
}

/** Takes OTLP exports; an answer means that the accepted records are on a durable queue. */
export interface ExportService {
  traces(request: IncomingMessage, origin: SpanOrigin): Promise<ExportResponse>;
  logs(request: IncomingMessage, origin: SpanOrigin): Promise<ExportResponse>;
  metrics(request: IncomingMessage, origin: SpanOrigin): Promise<ExportResponse>;
}

const METRICS_REFUSED = 'Metrics are not stored; send traces and GenAI events only';
/** Estimated size of a record's JSON in proportion to its size on the wire; a good guess saves moving most messages. */
const JSON_BYTES_PER_WIRE_BYTE = 1.5;

export function createExportService(deps: ExportDependencies): ExportService {
  const decodeJson = createJsonDecoder();

  async function withBody<Result>(
    request: IncomingMessage,
    { projectId }: SpanOrigin,
    use: (body: Body, held: RequestBytes) => Promise<Result>,
  ): Promise<Result> {
    const held = deps.budget.open(projectId);
    let body: Body | undefined;
    try {
      body = await gatherBody(receiveBody(request, deps.limits), { ...deps, projectId, held });
      return await use(body, held);
    } finally {
      await body?.close();
      held.release();
    }
  }

  async function store(request: IncomingMessage, origin: SpanOrigin, signal: Signal): Promise<ExportResponse> {
    const encoding = encodingOf(request);
    deps.requireOpen(origin.projectId);
    const decode = encoding === 'json' ? decodeJson : decodeProtobuf;
    const outcome = await withBody(request, origin, async (body, held) => {
      const result = new ExportOutcome();
      const expectedBytes = Math.ceil(JSON_BYTES_PER_WIRE_BYTE * body.sizeBytes) + 1_024;
      const records = deps.openPublisher({ origin, kind: signal.recordKind, expectedBytes, held });
      try {
        await decode(body, signal, { projectId: origin.projectId, records, outcome: result });
        await records.finish();
      } finally {
        await records.settled();
      }
      return result;
    });
    const { rejectedCount, message } = outcome;
    return encodeExportResponse({ field: signal.rejectedField, rejectedCount, message }, encoding);
  }

  return {
    traces: (request, origin) => store(request, origin, TRACES),
    logs: (request, origin) => store(request, origin, LOGS),
    async metrics(request, origin) {
      const encoding = encodingOf(request);
      const count = encoding === 'json' ? countDataPointsJson : countDataPoints;
      const rejectedCount = await withBody(request, origin, count);
      return encodeExportResponse({ field: 'rejectedDataPoints', rejectedCount, message: METRICS_REFUSED }, encoding);
    },
  };
}
