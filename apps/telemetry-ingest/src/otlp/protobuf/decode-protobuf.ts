import { AppError } from '@clew/kernel';
import type { RecordGroup } from '../../publish/record-group.ts';
import { runSteps, type Steps } from '../../steps.ts';
import type { Decode, DecodeTarget } from '../decode.ts';
import { RecordRefused } from '../../records/limits.ts';
import { REASON } from '../../records/refusal-reasons.ts';
import type { Signal } from '../signals.ts';
import { checkMessage, RESOURCE, SCOPE, type MessageShape } from './message-shapes.ts';
import { ExportWalk, TOO_LARGE, type ExportVisitor, type WalkedMessage } from './walk-export.ts';
import { WireFormatError } from './wire-reader.ts';
import { resourceJson, scopeNameJson } from './write-header.ts';

/**
 * Decodes an export request (opentelemetry-proto 1.x, collector/*) straight into the JSON of records. The body is read
 * twice, first to check that all of it is well-formed: a malformed one must leave nothing behind.
 */
export const decodeProtobuf: Decode = async (body, { protobuf }, target) => {
  await walk(new ExportWalk(body, checking(protobuf.shape)).request());
  await walk(new ExportWalk(body, writing(protobuf.write, target)).request());
};

export async function walk<Result>(steps: Steps<Result>): Promise<Result> {
  try {
    return await runSteps(steps);
  } catch (error) {
    if (!(error instanceof WireFormatError)) throw error;
    throw new AppError('MALFORMED_BODY', 'The body is not a valid OTLP protobuf message', { cause: error });
  }
}

function checking(recordShape: MessageShape): ExportVisitor<void, void> {
  const check = (message: WalkedMessage, shape: MessageShape) => {
    if (message !== TOO_LARGE) checkMessage(message, shape);
  };
  return {
    resource: (message) => check(message, RESOURCE),
    scope: (message) => check(message, SCOPE),
    record(message) {
      check(message, recordShape);
      return undefined;
    },
  };
}

function writing(
  write: Signal['protobuf']['write'],
  { records, outcome }: DecodeTarget,
): ExportVisitor<RecordGroup['resource'], RecordGroup> {
  return {
    resource: (message) => resourceJson(message, outcome),
    scope: (message, resource) => ({ resource, scopeName: scopeNameJson(message) }),
    record(message, group) {
      try {
        if (message === TOO_LARGE) throw new RecordRefused(REASON.tooLarge);
        return records.add(group, (out) => write(message, out));
      } catch (error) {
        if (!(error instanceof RecordRefused)) throw error;
        outcome.reject(error.reason);
        return undefined;
      }
    },
  };
}
