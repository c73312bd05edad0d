import { NOT_CAPTURED } from '../../json/json-capture.ts';
import { token, type Token } from '../../json/json-writer.ts';
import type { ExportOutcome } from '../export-outcome.ts';
import { MAX_NAME_LENGTH, MAX_RESOURCE_BYTES, RecordRefused } from '../../records/limits.ts';
import { REASON } from '../../records/refusal-reasons.ts';
import { isObject, listField, objectField, textField } from './fields.ts';
import { ValueReader } from './read-values.ts';

/**
 * Attributes of a resource as a JSON object. Many records share it, so an attribute that cannot be taken is left out,
 * and the records are kept.
 */
export function resourceJson(resource: unknown, outcome: ExportOutcome): Token {
  const members: string[] = [];
  let bytes = 1;
  for (const entry of attributesOf(resource, outcome)) {
    const member = memberJson(entry, outcome);
    if (member === undefined) continue;
    bytes += Buffer.byteLength(member) + 1;
    if (bytes > MAX_RESOURCE_BYTES) {
      outcome.warn(REASON.resourceCut);
      break;
    }
    members.push(member);
  }
  return token(`{${members.join(',')}}`);
}

function attributesOf(resource: unknown, outcome: ExportOutcome): readonly unknown[] {
  if (resource === NOT_CAPTURED) {
    outcome.warn(REASON.resourceCut);
    return [];
  }
  return leftOutUnless(outcome, () => listField(objectField(resource, 'resource')['attributes'], 'attributes')) ?? [];
}

function memberJson(entry: unknown, outcome: ExportOutcome): string | undefined {
  return leftOutUnless(outcome, () => {
    const pair = objectField(entry, 'attributes');
    const value = new ValueReader().anyValue(pair['value']);
    return `${JSON.stringify(textField(pair['key'], 'attributes.key'))}:${JSON.stringify(value)}`;
  });
}

function leftOutUnless<Result>(outcome: ExportOutcome, read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RecordRefused)) throw error;
    outcome.warn(`${REASON.attributeLeftOut}: ${error.reason}`);
    return undefined;
  }
}

/** Name of an instrumentation scope, as a JSON string. */
export function scopeNameJson(scope: unknown): Token {
  const name = isObject(scope) ? scope['name'] : undefined;
  return token(JSON.stringify(typeof name === 'string' ? name.slice(0, MAX_NAME_LENGTH) : ''));
}
