import { JsonLimitReached, JsonWriter, token, type Token } from '../../json/json-writer.ts';
import type { ExportOutcome } from '../export-outcome.ts';
import { MAX_RESOURCE_BYTES, RecordRefused } from '../../records/limits.ts';
import { REASON } from '../../records/refusal-reasons.ts';
import { TOO_LARGE, type WalkedMessage } from './walk-export.ts';
import { NO_RANGE, type WireReader } from './wire-reader.ts';
import { writeName } from './write-fields.ts';
import { ValueWriter } from './write-values.ts';

// Field numbers of opentelemetry/proto/{resource/v1/resource,common/v1/common}.proto.
const RESOURCE_ATTRIBUTES = 1;
const SCOPE_NAME = 1;

const EMPTY_OBJECT = token('{}');
const EMPTY_STRING = token('""');
const COMMA = token(',');
const OPEN = token('{');
const CLOSE = token('}');
const INITIAL_CAPACITY_BYTES = 1_024;

/**
 * Attributes of a resource as a JSON object. Many records share it, so an attribute that cannot be taken is left out,
 * and the records are kept.
 */
export function resourceJson(message: WalkedMessage, outcome: ExportOutcome): Token {
  if (message === TOO_LARGE) {
    outcome.warn(REASON.resourceCut);
    return EMPTY_OBJECT;
  }
  const out = new JsonWriter(INITIAL_CAPACITY_BYTES);
  out.limit = MAX_RESOURCE_BYTES;
  out.raw(OPEN);
  while (message.next()) {
    if (message.field !== RESOURCE_ATTRIBUTES) message.skip();
    else if (!writeAttribute(message, out, outcome)) break;
  }
  out.limit = Number.POSITIVE_INFINITY;
  out.raw(CLOSE);
  return out.finish();
}

/** Writes an attribute; returns false if there is no room for more. */
function writeAttribute(message: WireReader, out: JsonWriter, outcome: ExportOutcome): boolean {
  const mark = out.length;
  // Separate reader, since one that stops in the middle of a message cannot go on.
  const reader = message.readerOf(message.range());
  try {
    if (mark > OPEN.length) out.raw(COMMA);
    new ValueWriter(reader, out).keyValue();
  } catch (error) {
    out.rewind(mark);
    if (error instanceof JsonLimitReached) {
      outcome.warn(REASON.resourceCut);
      return false;
    }
    if (!(error instanceof RecordRefused)) throw error;
    outcome.warn(`${REASON.attributeLeftOut}: ${error.reason}`);
  }
  return true;
}

/** Name of an instrumentation scope, as a JSON string. */
export function scopeNameJson(message: WalkedMessage): Token {
  if (message === TOO_LARGE) return EMPTY_STRING;
  let name = NO_RANGE;
  while (message.next()) {
    if (message.field === SCOPE_NAME) name = message.range();
    else message.skip();
  }
  const out = new JsonWriter(INITIAL_CAPACITY_BYTES);
  writeName(out, message.bytes, name);
  return out.finish();
}
