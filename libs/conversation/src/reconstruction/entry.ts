import type { MessageOrigin, MessageUsage } from '@clew/contracts';
import type { ReadError, ReadMessage } from '../dialects/index.ts';
import type { Said } from './message-table.ts';

/** Place and time of a message's first appearance. */
export interface Origin {
  traceId: string;
  spanId: string;
  timeNs: bigint;
}

/** Known facts about the work that produced a message. */
export interface Making {
  model?: string;
  usage?: MessageUsage;
  durationMs?: number;
}

/** Message of the conversation, once, however many calls repeat it. */
export interface Entry {
  symbol: number;
  message: ReadMessage;
  origin: Origin;
  agentName: string | undefined;
  /** Message before it in its thread, which it never precedes in the order. */
  previous: Entry | undefined;
  error?: ReadError;
  /** Set on assistant messages, and on results from a tool's span. */
  making?: Making;
  /** Origin of its text, if the text was retrieved or recalled. */
  source?: MessageOrigin;
  /** On tool results: the call that it answers. */
  answers?: { caller: Entry; callIndex: number };
  /** On assistant messages: the first result of each call. */
  results: Map<number, Entry>;
  /** Results that only tool spans contain, in the order of the calls. */
  spanResults: Entry[];
  /** True if it is one of `spanResults`. */
  isSpanResult: boolean;
  /** True for the instructions of the first call, which precede everything else. */
  isOpening: boolean;
  /** True if it represents the answer that a call did not give. */
  isSilent: boolean;
  /** Threads in which it was said. */
  threads: Set<string>;
}

export function newEntry(said: Said, origin: Origin, previous: Entry | undefined, agentName?: string): Entry {
  return {
    symbol: said.symbol,
    message: said.message,
    origin,
    agentName,
    previous,
    results: new Map(),
    spanResults: [],
    isSpanResult: false,
    isOpening: false,
    isSilent: false,
    threads: new Set(),
  };
}

/** Adds details that another record of the same message has beyond this one. */
export function enrich(entry: Entry, message: ReadMessage): void {
  const known = entry.message;
  if (known === message) return;
  entry.message = {
    ...known,
    ...(known.finishReason === undefined && message.finishReason !== undefined
      ? { finishReason: message.finishReason }
      : {}),
    ...(known.reasoning === undefined && message.reasoning !== undefined ? { reasoning: message.reasoning } : {}),
    ...(known.toolCallId === undefined && message.toolCallId !== undefined ? { toolCallId: message.toolCallId } : {}),
    ...(known.name === undefined && message.name !== undefined ? { name: message.name } : {}),
    ...(message.isError === true ? { isError: true } : {}),
    ...withCallIds(known, message),
  };
}

function withCallIds(known: ReadMessage, message: ReadMessage): Pick<ReadMessage, 'toolCalls'> {
  if (known.toolCalls === undefined || known.toolCalls.every((call) => call.id !== undefined)) return {};
  const toolCalls = known.toolCalls.map((call, index) => {
    const id = call.id ?? message.toolCalls?.[index]?.id;
    return id === undefined ? call : { ...call, id };
  });
  return { toolCalls };
}
