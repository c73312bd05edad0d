import { RecordRefused } from '../../records/limits.ts';
import { textField } from './fields.ts';

const TRACE_ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;
const ZERO_ID = /^0*$/;
/** Ids of 16 bytes and of 8 bytes, in base64. */
const BASE64_ID = /^(?:[\w+/-]{22}(?:==)?|[\w+/-]{11}=?)$/;

/** Reads a trace id as lower-case hex; throws RecordRefused if it is not valid or is all zeros. */
export function traceIdField(value: unknown, refusal: string): string {
  const id = asHex(textField(value, 'traceId'));
  if (!TRACE_ID.test(id) || ZERO_ID.test(id)) throw new RecordRefused(refusal);
  return id;
}

/** Reads a span id in the same way. */
export function spanIdField(value: unknown, refusal: string): string {
  const id = optionalSpanIdField(value, refusal);
  if (id === undefined) throw new RecordRefused(refusal);
  return id;
}

/** Reads a span id; undefined if it is absent, which may be written as an empty text or as zeros. */
export function optionalSpanIdField(value: unknown, refusal: string): string | undefined {
  const id = asHex(textField(value, 'spanId'));
  if (ZERO_ID.test(id)) return undefined;
  if (!SPAN_ID.test(id)) throw new RecordRefused(refusal);
  return id;
}

/** Converts an id to hex. OTLP/JSON has hex; encoders of plain protobuf JSON write base64, which differs in length. */
function asHex(id: string): string {
  return BASE64_ID.test(id) ? Buffer.from(id, 'base64').toString('hex') : id.toLowerCase();
}
