import type { IncomingMessage } from 'node:http';
import { AppError } from '@clew/kernel';

/** Encoding of an OTLP body and of its answer. */
export type OtlpEncoding = 'protobuf' | 'json';

export const MEDIA_TYPE: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

export function encodingOf(request: IncomingMessage): OtlpEncoding {
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType === 'application/x-protobuf' || mediaType === 'application/protobuf') return 'protobuf';
  if (mediaType === 'application/json') return 'json';
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'content-type must be application/x-protobuf or application/json');
}
