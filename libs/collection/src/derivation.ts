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
  const said = messages.map((message) => message.hash ?? hashOf(message));
  const parts = [datasetId, objective, conversationId, ...said];
  return `${objective}:${sha256Hex(JSON.stringify(parts)).slice(0, 32)}`;
}

function hashOf({ role, content, toolCalls = [], toolCallId = '' }: SnapshotMessage): string {
  const calls = toolCalls.map(({ name, arguments: given }) => [name, given ?? null]);
  return sha256Hex(canonicalJson([role, content, calls, toolCallId]));
}
