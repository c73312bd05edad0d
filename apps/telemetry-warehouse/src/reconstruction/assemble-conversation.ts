import type { ConversationMessage, LogRecord, ToolDefinition } from '@clew/contracts';
import type { StoredSpan } from '../dialects/index.ts';
import { readCalls } from './calls.ts';
import { contentHashOf } from './content-hash.ts';
import { toMessages } from './conversation-messages.ts';
import { inConversationOrder } from './conversation-order.ts';
import { summarize, type ConversationSummary } from './conversation-summary.ts';
import { joinCalls } from './join-calls.ts';
import { createMessageTable } from './message-table.ts';
import { inCallOrder, withoutOverlappingTwins } from './overlaps.ts';
import { indexSpans } from './span-index.ts';
import { addToolResults } from './tool-results.ts';
import { toolRuns } from './tool-runs.ts';

/** The records of one conversation, in any order, with any repeats. */
export interface ConversationRecords {
  spans: readonly StoredSpan[];
  logs: readonly LogRecord[];
}

export interface AssembledConversation extends ConversationSummary {
  messages: ConversationMessage[];
  tools: ToolDefinition[];
  /** The hash of what the messages say (`contentHashOf`). */
  contentHash: string;
  /** The limits of a snapshot cut the messages. */
  truncated: boolean;
}

/**
 * Assembles the canonical conversation from its telemetry, in whatever dialects it is written: each message once, in
 * order. A pure function of the set of records: their order and their repeats do not matter.
 */
export function assembleConversation(records: ConversationRecords): AssembledConversation {
  const nodes = indexSpans(records.spans, records.logs);
  const table = createMessageTable();
  const read = readCalls(nodes, table);
  const calls = withoutOverlappingTwins(inCallOrder(read.calls));
  const entries = joinCalls(calls, table);
  addToolResults(entries, toolRuns(read.tools), table);
  const { messages, truncated } = toMessages(inConversationOrder(entries));
  return { messages, truncated, contentHash: contentHashOf(messages), ...summarize(nodes, read, calls) };
}
