import { readJson } from '@clew/kernel';
import type { ConversationMessage, SnapshotMessage } from '@clew/contracts';
import { canonicalText, type ReadToolCall } from '../dialects/index.ts';
import { messageHashOf } from './content-hash.ts';
import type { Entry } from './entry.ts';
import { MAX_SNAPSHOT_BYTES, MAX_SNAPSHOT_MESSAGES } from './limits.ts';

const NANOS_PER_MILLISECOND = 1_000_000n;
const MAX_EPOCH_MS = 8_640_000_000_000_000n;

/** Converts nanoseconds to epoch milliseconds within the range of a date. */
export function epochMs(timeNs: bigint): number {
  const ms = timeNs / NANOS_PER_MILLISECOND;
  return Number(ms > MAX_EPOCH_MS ? MAX_EPOCH_MS : ms);
}

/**
 * Builds the canonical messages of ordered entries within the limits of a snapshot: the first ones in full, and of the
 * first one that does not fit, as much of the text as fits.
 */
export function toMessages(entries: readonly Entry[]): { messages: SnapshotMessage[]; truncated: boolean } {
  const messages: SnapshotMessage[] = [];
  let bytesLeft = MAX_SNAPSHOT_BYTES;
  for (const entry of entries) {
    if (messages.length === MAX_SNAPSHOT_MESSAGES) return { messages, truncated: true };
    const message = toMessage(entry, messages.length);
    const extra = sizeOfCalls(message) + sizeOf(message.attachments) + Buffer.byteLength(message.reasoning ?? '');
    const size = extra + Buffer.byteLength(message.content);
    if (size > bytesLeft) {
      const content = extra < bytesLeft ? cut(message.content, bytesLeft - extra) : '';
      if (content !== '') messages.push(hashed({ ...message, content }));
      return { messages, truncated: true };
    }
    bytesLeft -= size;
    messages.push(hashed(message));
  }
  return { messages, truncated: false };
}

function hashed(message: ConversationMessage): SnapshotMessage {
  return { ...message, hash: messageHashOf(message) };
}

/** Size of the calls; their arguments are in canonical form already. */
function sizeOfCalls({ toolCalls }: ConversationMessage): number {
  return toolCalls === undefined ? 0 : Buffer.byteLength(JSON.stringify(toolCalls));
}

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(canonicalText(value));
}

/** Cuts a text to at most this many bytes, between characters. */
function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  let end = Math.min(maxBytes, bytes.length);
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

function toMessage(entry: Entry, index: number): ConversationMessage {
  const { role, content, toolCalls, reasoning, attachments, finishReason } = entry.message;
  const answered = entry.answers?.caller.message.toolCalls?.[entry.answers.callIndex];
  const toolCallId = answered?.id ?? entry.message.toolCallId;
  const name =
    entry.message.name ?? (role === 'tool' ? answered?.name : role === 'assistant' ? entry.agentName : undefined);
  const error =
    entry.error ??
    (entry.message.isError === true ? { type: 'tool_error', message: content.slice(0, 4_000) } : undefined);
  return {
    index,
    role,
    content,
    ...(toolCalls === undefined || toolCalls.length === 0 ? {} : { toolCalls: toolCalls.map(storable) }),
    ...(role !== 'tool' || toolCallId === undefined ? {} : { toolCallId }),
    ...(name === undefined ? {} : { name }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(attachments === undefined ? {} : { attachments }),
    ...(finishReason === undefined || role !== 'assistant' ? {} : { finishReason }),
    ...(error === undefined || role === 'system' || role === 'user' ? {} : { error }),
    ...entry.making,
    ...(entry.source === undefined ? {} : { origin: entry.source }),
    traceId: entry.origin.traceId,
    spanId: entry.origin.spanId,
    atMs: epochMs(entry.origin.timeNs),
  };
}

/** Converts arguments to the form of their canonical JSON, so that the stored form is the hashed form. */
function storable(call: ReadToolCall): ReadToolCall {
  return { ...call, arguments: readJson(canonicalText(call.arguments)) };
}
