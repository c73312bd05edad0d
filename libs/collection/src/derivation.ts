import type { CollectionObjective, SnapshotMessage } from '@clew/contracts';
import { canonicalJson, sha256Hex } from '@clew/kernel';

/** Place in a conversation to which an Example belongs. */
export interface DerivedFrom {
  datasetId: string;
  objective: CollectionObjective;
  conversationId: string;
  /** Messages up to and including the step. */
  messages: readonly SnapshotMessage[];
}

/**
 * Provenance key of an Example (design, section 8): from Dataset, objective, conversation and what was said up to the
 * step, before any redaction. The snapshot and the revision of the policy do not count, so that a replay, another
 * policy in between, or a conversation that goes on gives the same key.
 */
export function derivationKeyOf({ datasetId, objective, conversationId, messages }: DerivedFrom): string {
  return keyOf(objective, [datasetId, objective, conversationId, ...messages.map(messageHashOf)]);
}

/** Provenance key of the Example of a Knowledge item, whatever the item says by now. */
export function itemDerivationKeyOf(datasetId: string, itemId: string): string {
  const objective: CollectionObjective = 'teach_project_knowledge';
  return keyOf(objective, [datasetId, objective, itemId]);
}

function keyOf(objective: CollectionObjective, parts: readonly string[]): string {
  return `${objective}:${sha256Hex(JSON.stringify(parts)).slice(0, 32)}`;
}

/** Digest of all that a response is made from. */
export function basisOf(parts: readonly unknown[]): string {
  return sha256Hex(JSON.stringify(parts)).slice(0, 32);
}

/** Hash of what a message says; the same after its words have expired. */
export function messageHashOf(message: SnapshotMessage): string {
  return message.hash ?? hashOf(message);
}

function hashOf({ role, content, toolCalls = [], toolCallId = '' }: SnapshotMessage): string {
  const calls = toolCalls.map(({ name, arguments: given }) => [name, given ?? null]);
  return sha256Hex(canonicalJson([role, content, calls, toolCallId]));
}
