import { AppError, createFairLimiter, measureJson, readJson } from '@clew/kernel';
import { runSteps } from '../../steps.ts';
import type { Decode } from '../decode.ts';
import { MAX_OTLP_JSON_DEPTH } from '../../records/limits.ts';
import { decodeParsed } from './decode-parsed.ts';
import { decodeStream } from './decode-stream.ts';

/** Maximum number of values parsed at once, which takes some 8 MiB; a body with more is read one record at a time. */
const MAX_PARSED_VALUES = 100_000;
/** Size up to which a body gets its turn without waiting for larger ones. */
const MAX_SMALL_BODY_BYTES = 256 * 1024;
const TOO_MUCH = Symbol('too much to be parsed at once');

/**
 * Decodes export requests in OTLP/JSON (opentelemetry-proto, "JSON Protobuf Encoding"): lowerCamelCase keys, ids in
 * hex, 64-bit integers as numbers or text. Unknown fields are ignored. Only a few bodies at a time are objects in
 * memory, where they take up to twenty times the size of their text; one project has at most all but one of these
 * places.
 */
export function createJsonDecoder(): Decode {
  const turnsOfSmall = createFairLimiter({ places: 4, share: 3 });
  const turnsOfLarge = createFairLimiter({ places: 2, share: 1 });
  return async (body, signal, target) => {
    const turns = body.sizeBytes <= MAX_SMALL_BODY_BYTES ? turnsOfSmall : turnsOfLarge;
    await turns.run([target.projectId], () => decodeJson(body, signal, target));
  };
}

const decodeJson: Decode = async (body, signal, target) => {
  const parsed = body.isInMemory ? parse(utf8(body.bytes)) : TOO_MUCH;
  if (parsed === TOO_MUCH) await decodeStream(body, signal, target);
  else await runSteps(decodeParsed(parsed, signal, target));
};

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError('MALFORMED_BODY', 'The body is not UTF-8', { cause: error });
  }
}

function parse(text: string): unknown {
  const { depth, valueCount } = measureJson(text);
  if (valueCount > MAX_PARSED_VALUES) return TOO_MUCH;
  if (depth > MAX_OTLP_JSON_DEPTH) {
    throw new AppError('MALFORMED_BODY', `The body nests deeper than ${MAX_OTLP_JSON_DEPTH} levels`);
  }
  try {
    return readJson(text);
  } catch (error) {
    throw new AppError('MALFORMED_BODY', 'The body is not valid JSON', { cause: error });
  }
}
