import type { LogRecord, SnapshotMessage, ToolDefinition } from '@clew/contracts';
import type { StoredSpan } from '../dialects/index.ts';
import type { CallRecord } from './call-identity.ts';
import { readCalls, type SpansRead } from './calls.ts';
import { contentHashOf } from './content-hash.ts';
import { toMessages } from './conversation-messages.ts';
import { inConversationOrder } from './conversation-order.ts';
import { summarize, type ConversationSummary } from './conversation-summary.ts';
import { joinCalls } from './join-calls.ts';
import { messageOrigins } from './message-origins.ts';
import { createMessageTable, type MessageTable } from './message-table.ts';
import { inCallOrder, withoutOverlappingTwins } from './overlaps.ts';
import { indexSpans, type SpanNode } from './span-index.ts';
import { addToolResults } from './tool-results.ts';
import { toolRuns } from './tool-runs.ts';

/** Records of one conversation, in any order, with any repeats. */
export interface ConversationRecords {
  spans: readonly StoredSpan[];
  logs: readonly LogRecord[];
}

export interface AssembledConversation extends ConversationSummary {
  messages: SnapshotMessage[];
  tools: ToolDefinition[];
  /** Hash of the messages' content (`contentHashOf`). */
  contentHash: string;
  /** True if the limits of a snapshot cut the messages. */
  truncated: boolean;
  /** True if it contains a model call, a tool run or an agent, even if no content was recorded. */
  hasSteps: boolean;
}

/** Telemetry of a conversation after reading. */
export interface TelemetryRead {
  /** Records of its model calls, as far as they identify the calls. */
  calls: readonly CallRecord[];
  /** Returns the canonical form; a second call gives nothing new. */
  assemble(): AssembledConversation;
}

/** Reads the telemetry of a conversation, in any dialects. */
export function readTelemetry(records: ConversationRecords): TelemetryRead {
  const nodes = indexSpans(records.spans, records.logs);
  const table = createMessageTable();
  const read = readCalls(nodes, table);
  return { calls: read.records, assemble: () => assembled(nodes, table, read) };
}

/**
 * Assembles the canonical conversation from its telemetry: each message once, in order. A pure function of the set of
 * records: their order and their repeats do not matter.
 */
export function assembleConversation(records: ConversationRecords): AssembledConversation {
  return readTelemetry(records).assemble();
}

function assembled(nodes: readonly SpanNode[], table: MessageTable, read: SpansRead): AssembledConversation {
  const calls = withoutOverlappingTwins(inCallOrder(read.calls));
  const entries = joinCalls(calls, table);
  const origins = messageOrigins(nodes);
  addToolResults(entries, toolRuns(read.tools, origins), table);
  const ordered = inConversationOrder(entries);
  origins.mark(ordered);
  const { messages, truncated } = toMessages(ordered);
  const { hasSteps } = read;
  return { messages, truncated, hasSteps, contentHash: contentHashOf(messages), ...summarize(nodes, read, calls) };
}
