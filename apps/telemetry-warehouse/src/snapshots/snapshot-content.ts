import type { SnapshotMessage, SnapshotScore, ToolDefinition } from '@clew/contracts';

/** Content of a snapshot, without its head. */
export interface SnapshotContent {
  messages: SnapshotMessage[];
  tools: ToolDefinition[];
  scores: SnapshotScore[];
}

/** Stored text of a snapshot's content: the same content always gives the same text. */
export function snapshotText({ messages, tools, scores }: SnapshotContent): string {
  return JSON.stringify({ messages, tools, scores });
}
