import { MEDIA_TYPE, type OtlpEncoding } from './media-type.ts';

/** Name of the count field in a signal's partial success in OTLP/JSON; in protobuf it is field 1 for all signals. */
export type RejectedField = 'rejectedSpans' | 'rejectedLogRecords' | 'rejectedDataPoints';

export interface PartialSuccess {
  field: RejectedField;
  rejectedCount: number;
  /** Reasons; empty if everything was taken. */
  message: string;
}

export interface ExportResponse {
  contentType: string;
  body: Buffer;
}

// Tags of collector/*/v1/*_service.proto: the number of the field, and whether a length or a varint follows.
const PARTIAL_SUCCESS = (1 << 3) | 2;
const REJECTED_COUNT = 1 << 3;
const ERROR_MESSAGE = (2 << 3) | 2;

/**
 * Encodes the answer of an OTLP export: empty if everything was taken, else the number of rejected records and the
 * reasons.
 */
export function encodeExportResponse(partial: PartialSuccess, encoding: OtlpEncoding): ExportResponse {
  const isComplete = partial.rejectedCount === 0 && partial.message === '';
  const encode = encoding === 'json' ? encodeJson : encodeProtobuf;
  return { contentType: MEDIA_TYPE[encoding], body: encode(isComplete ? undefined : partial) };
}

function encodeJson(partial: PartialSuccess | undefined): Buffer {
  if (partial === undefined) return Buffer.from('{}');
  // 64-bit integers are text in OTLP/JSON.
  const partialSuccess = { [partial.field]: String(partial.rejectedCount), errorMessage: partial.message };
  return Buffer.from(JSON.stringify({ partialSuccess }));
}

function encodeProtobuf(partial: PartialSuccess | undefined): Buffer {
  if (partial === undefined) return Buffer.alloc(0);
  const message = Buffer.from(partial.message);
  const content = Buffer.from([
    ...[REJECTED_COUNT, ...varint(partial.rejectedCount)],
    ...[ERROR_MESSAGE, ...varint(message.length), ...message],
  ]);
  return Buffer.from([PARTIAL_SUCCESS, ...varint(content.length), ...content]);
}

/** Encodes an unsigned integer below 2^32 as a varint. */
function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}
