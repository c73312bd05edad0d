import { RecordRefused } from '../../records/limits.ts';
import { textField } from './fields.ts';

const TRACE_ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;
const ZERO_ID = /^0*$/;
/** Of 16 bytes, and of 8. */
const BASE64_ID = /^(?:[\w+/-]{22}(?:==)?|[\w+/-]{11}=?)$/;

/** A trace id in lower-case hex; throws RecordRefused where it is not one, or all zeros. */
export function traceIdField(value: unknown, refusal: string): string {
  const id = asHex(textField(value, 'traceId'));
  if (!TRACE_ID.test(id) || ZERO_ID.test(id)) throw new RecordRefused(refusal);
  return id;
}

/** The same for a span id. */
export function spanIdField(value: unknown, refusal: string): string {
  const id = optionalSpanIdField(value, refusal);
  if (id === undefined) throw new RecordRefused(refusal);
  return id;
}

/** Undefined where it is absent, which may be written as an empty text or as zeros. */
export function optionalSpanIdField(value: unknown, refusal: string): string | undefined {
  const id = asHex(textField(value, 'spanId'));
  if (ZERO_ID.test(id)) return undefined;
  if (!SPAN_ID.test(id)) throw new RecordRefused(refusal);
  return id;
}

/** OTLP/JSON has hex; encoders of plain protobuf JSON write base64, which is of another length. */
function asHex(id: string): string {
  return BASE64_ID.test(id) ? Buffer.from(id, 'base64').toString('hex') : id.toLowerCase();
}
