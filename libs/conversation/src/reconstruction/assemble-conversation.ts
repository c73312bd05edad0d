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

/** The records of one conversation, in any order, with any repeats. */
export interface ConversationRecords {
  spans: readonly StoredSpan[];
  logs: readonly LogRecord[];
}

export interface AssembledConversation extends ConversationSummary {
  messages: SnapshotMessage[];
  tools: ToolDefinition[];
  /** The hash of what the messages say (`contentHashOf`). */
  contentHash: string;
  /** The limits of a snapshot cut the messages. */
  truncated: boolean;
  /** A call of a model, a run of a tool or an agent is in it, also where nothing was recorded of what was said. */
  hasSteps: boolean;
}

/** Telemetry of a conversation that was read. */
export interface TelemetryRead {
  /** What its spans say of calls of models, so far as it tells them from others. */
  calls: readonly CallRecord[];
  /** Its canonical form; a second time gives nothing new. */
  assemble(): AssembledConversation;
}

/** Reads the telemetry of a conversation, in whatever dialects it is written. */
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
