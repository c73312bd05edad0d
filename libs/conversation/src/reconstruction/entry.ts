import type { MessageOrigin, MessageUsage } from '@clew/contracts';
import type { ReadError, ReadMessage } from '../dialects/index.ts';
import type { Said } from './message-table.ts';

/** Where and when a message first appeared. */
export interface Origin {
  traceId: string;
  spanId: string;
  timeNs: bigint;
}

/** What is known of the work that made a message. */
export interface Making {
  model?: string;
  usage?: MessageUsage;
  durationMs?: number;
}

/** A message of the conversation, once, however many calls repeat it. */
export interface Entry {
  symbol: number;
  message: ReadMessage;
  origin: Origin;
  agentName: string | undefined;
  /** The message before it in its thread; it never stands before that one. */
  previous: Entry | undefined;
  error?: ReadError;
  /** On assistant messages and on results that a tool's span has. */
  making?: Making;
  /** Where its text came from, where it was looked up. */
  source?: MessageOrigin;
  /** On tool results: the call that it answers. */
  answers?: { caller: Entry; callIndex: number };
  /** On assistant messages: the first result of each call. */
  results: Map<number, Entry>;
  /** Results that only tool spans know, in the order of the calls. */
  spanResults: Entry[];
  /** It is one of `spanResults`. */
  isSpanResult: boolean;
  /** The instructions of the first call stand before everything else. */
  isOpening: boolean;
  /** It stands for the answer that a call did not give. */
  isSilent: boolean;
  /** The threads in which it was said. */
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

/** Takes over what another record of the same message knows beyond this one. */
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
