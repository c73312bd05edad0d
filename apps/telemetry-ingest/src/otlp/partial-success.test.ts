import { expect, it } from '@jest/globals';
import {
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import fc from 'fast-check';
import { encodeExportResponse, type RejectedField } from './partial-success.ts';

const OFFICIAL = {
  rejectedSpans: ProtobufTraceSerializer,
  rejectedLogRecords: ProtobufLogsSerializer,
  rejectedDataPoints: ProtobufMetricsSerializer,
} as const;

it('the official client reads the count and the reason of any answer, in protobuf and in JSON', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<RejectedField>('rejectedSpans', 'rejectedLogRecords', 'rejectedDataPoints'),
      fc.nat(2 ** 31 - 1),
      fc.string({ minLength: 1, maxLength: 400 }),
      (field, rejectedCount, message) => {
        const partial = { field, rejectedCount, message };
        const protobuf = encodeExportResponse(partial, 'protobuf');
        const { partialSuccess } = OFFICIAL[field].deserializeResponse(protobuf.body);
        expect(partialSuccess).toMatchObject({ [field]: rejectedCount, errorMessage: message });
        const json = encodeExportResponse(partial, 'json');
        expect(JSON.parse(json.body.toString())).toEqual({
          partialSuccess: { [field]: String(rejectedCount), errorMessage: message },
        });
      },
    ),
  );
});
