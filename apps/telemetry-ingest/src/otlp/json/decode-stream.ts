import type { Body } from '../../body/body.ts';
import { NOT_CAPTURED } from '../../json/json-capture.ts';
import { walkJson } from '../../json/shape-walker.ts';
import type { DecodeTarget } from '../decode.ts';
import type { ExportOutcome } from '../export-outcome.ts';
import { MAX_OTLP_JSON_DEPTH } from '../../records/limits.ts';
import { REASON } from '../../records/refusal-reasons.ts';
import type { Signal } from '../signals.ts';
import { addRecord } from './decode-parsed.ts';
import { exportShape, RECORD_LIMITS, type ExportParts } from './export-shape.ts';
import type { JsonObject } from './fields.ts';
import { LateHeaders } from './late-headers.ts';
import { resourceJson, scopeNameJson } from './record-group.ts';

/**
 * Passes on, one at a time, the records of a body that is too large to be parsed at once. The body is read twice. The
 * first reading checks that all of it is well-formed, because a malformed one must leave nothing behind, and finds the
 * headers (resources and scopes) that come too late for the second.
 */
export async function decodeStream(body: Body, { json }: Signal, target: DecodeTarget): Promise<void> {
  const late = new LateHeaders();
  await walkJson(body.chunks(), exportShape(json.lists, lateHeaderParts(late, target.outcome)), MAX_OTLP_JSON_DEPTH);
  await walkJson(body.chunks(), exportShape(json.lists, recordParts(late, json.read, target)), MAX_OTLP_JSON_DEPTH);
}

/** Handlers of the first reading: they keep the headers that stand behind the records they belong to. */
function lateHeaderParts(late: LateHeaders, outcome: ExportOutcome): ExportParts {
  let resourceIndex = -1;
  let scopeIndex = -1;
  let scopesBegan = false;
  let recordsBegan = false;
  return {
    beginResource() {
      resourceIndex += 1;
      scopesBegan = false;
    },
    resource(value) {
      if (scopesBegan) late.setResource(resourceIndex, resourceJson(value, outcome));
    },
    beginScopes() {
      scopesBegan = true;
    },
    beginScope() {
      scopeIndex += 1;
      recordsBegan = false;
    },
    scope(value) {
      if (recordsBegan) late.setScopeName(scopeIndex, scopeNameJson(value));
    },
    beginRecords() {
      recordsBegan = true;
    },
    record: { kind: 'object', members: {} },
  };
}

/** Handlers of the second reading: they pass on each record with its resource and scope. */
function recordParts(late: LateHeaders, read: Signal['json']['read'], target: DecodeTarget): ExportParts {
  let resourceIndex = -1;
  let scopeIndex = -1;
  let resource = late.resource(resourceIndex);
  let group = { resource, scopeName: late.scopeName(scopeIndex) };
  return {
    beginResource() {
      resourceIndex += 1;
      resource = late.resource(resourceIndex);
    },
    resource(value) {
      if (!late.hasResource(resourceIndex)) resource = resourceJson(value, target.outcome);
    },
    beginScope() {
      scopeIndex += 1;
      group = { resource, scopeName: late.scopeName(scopeIndex) };
    },
    scope(value) {
      if (!late.hasScopeName(scopeIndex)) group = { resource, scopeName: scopeNameJson(value) };
    },
    record: {
      kind: 'value',
      limits: RECORD_LIMITS,
      take(record) {
        if (record !== NOT_CAPTURED) return addRecord(record as JsonObject, group, read, target);
        target.outcome.reject(REASON.tooLarge);
        return undefined;
      },
    },
  };
}
