import type { SnapshotMessage, SnapshotScore, ToolDefinition } from '@clew/contracts';

/** What a snapshot holds beside its head. */
export interface SnapshotContent {
  messages: SnapshotMessage[];
  tools: ToolDefinition[];
  scores: SnapshotScore[];
}

/** The content of a snapshot as it is stored: the same content is always the same text. */
export function snapshotText({ messages, tools, scores }: SnapshotContent): string {
  return JSON.stringify({ messages, tools, scores });
}
