import protobuf from 'protobufjs/minimal.js';
import { MEDIA_TYPE, type OtlpEncoding } from './media-type.ts';

/** The count field of a signal's partial success in OTLP/JSON; in protobuf all of them are field 1. */
export type RejectedField = 'rejectedSpans' | 'rejectedLogRecords' | 'rejectedDataPoints';

export interface PartialSuccess {
  field: RejectedField;
  rejectedCount: number;
  /** Empty where there is nothing to say. */
  errorMessage: string;
}

/** The answer of an OTLP export: empty when everything was taken, else how much was not and why. */
export function encodeExportResponse(partial: PartialSuccess, encoding: OtlpEncoding) {
  const contentType = MEDIA_TYPE[encoding];
  const complete = partial.rejectedCount === 0 && partial.errorMessage === '';
  if (encoding === 'json') {
    const counted = { [partial.field]: String(partial.rejectedCount), errorMessage: partial.errorMessage };
    return { contentType, body: Buffer.from(JSON.stringify(complete ? {} : { partialSuccess: counted })) };
  }
  if (complete) return { contentType, body: Buffer.alloc(0) };
  const writer = protobuf.Writer.create();
  writer.uint32(tag(1, 2)).fork();
  writer.uint32(tag(1, 0)).int64(partial.rejectedCount);
  writer.uint32(tag(2, 2)).string(partial.errorMessage);
  return { contentType, body: Buffer.from(writer.ldelim().finish()) };
}

function tag(field: number, wireType: number): number {
  return (field << 3) | wireType;
}
