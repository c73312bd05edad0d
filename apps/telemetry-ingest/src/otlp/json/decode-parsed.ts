import { AppError } from '@clew/kernel';
import type { RecordGroup } from '../../publish/record-group.ts';
import { Pace, type Steps } from '../../steps.ts';
import type { DecodeTarget } from '../decode.ts';
import { EntryCounter, RecordRefused } from '../../records/limits.ts';
import type { Signal } from '../signals.ts';
import { isObject, type JsonObject } from './fields.ts';
import { resourceJson, scopeNameJson } from './record-group.ts';

interface ParsedResource {
  resource: unknown;
  scopes: readonly { scope: unknown; records: readonly JsonObject[] }[];
}

/** Passes on the records of a parsed body. */
export function* decodeParsed(body: unknown, { json }: Signal, target: DecodeTarget): Steps {
  const pace = new Pace();
  for (const { resource, scopes } of resourcesOf(body, json.lists)) {
    const resourceToken = resourceJson(resource, target.outcome);
    for (const { scope, records } of scopes) {
      const group = { resource: resourceToken, scopeName: scopeNameJson(scope) };
      for (const record of records) {
        const wait = addRecord(record, group, json.read, target) ?? pace.pause();
        if (wait !== undefined) yield wait;
      }
    }
  }
}

/** Adds one record; a refusal is noted, and the other records go on. */
export function addRecord(
  record: JsonObject,
  group: RecordGroup,
  read: Signal['json']['read'],
  { records, outcome }: DecodeTarget,
): Promise<void> | undefined {
  try {
    const text = JSON.stringify(read(record));
    return records.add(group, (out) => out.json(text));
  } catch (error) {
    if (!(error instanceof RecordRefused)) throw error;
    outcome.reject(error.reason);
    return undefined;
  }
}

/** Checks all lists before the first record is taken: a request of another form must leave nothing behind. */
function resourcesOf(body: unknown, [resources, scopes, records]: Signal['json']['lists']): ParsedResource[] {
  const entries = new EntryCounter();
  const objectsOf = (parent: JsonObject, key: string): readonly JsonObject[] => {
    const value = parent[key] ?? [];
    if (!Array.isArray(value) || !value.every(isObject)) throw malformed(`${key} is not a list of objects`);
    entries.add(value.length);
    return value;
  };
  if (!isObject(body)) throw malformed('The body is not a JSON object');
  return objectsOf(body, resources).map((resourceGroup) => ({
    resource: resourceGroup['resource'],
    scopes: objectsOf(resourceGroup, scopes).map((scopeGroup) => ({
      scope: scopeGroup['scope'],
      records: objectsOf(scopeGroup, records),
    })),
  }));
}

function malformed(message: string): AppError {
  return new AppError('MALFORMED_BODY', message);
}
