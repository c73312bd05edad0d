import { sha256Hex } from '@clew/kernel';

/** Fields of a command that messages about it carry on. */
interface Command {
  id: string;
  projectId: string;
  requestId: string | null;
}

/** Envelope of a message about parts of a command: the same parts give the same id, so that it takes effect once. */
export function partsEnvelope<Spec extends { type: string; version: number }>(
  { id, projectId, requestId }: Command,
  { type, version }: Spec,
  parts: readonly string[],
  occurredAt: number,
) {
  return { id: `${type}:${sha256Hex([id, ...parts].join('\n'))}`, type, version, occurredAt, projectId, requestId };
}

/**
 * Envelope of the one result of a command. It has one id, so that the owner applies the result once, however often the
 * command was processed.
 */
export function resultEnvelope<Spec extends { type: string; version: number }>(
  { id, projectId, requestId }: Command,
  { type, version }: Spec,
  occurredAt: number,
) {
  return { id: `${type}:${id}`, type, version, occurredAt, projectId, requestId };
}

/** Request id of a command, for the calls that it causes. */
export function requestIdOf({ requestId }: Pick<Command, 'requestId'>): { requestId?: string } {
  return requestId === null ? {} : { requestId };
}
