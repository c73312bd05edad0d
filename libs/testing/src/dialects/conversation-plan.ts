import type { ScriptedConversation, ScriptedMessage, ScriptedToolCall } from './scripted-conversation.ts';

/** Message with its time and, on results, the call that it answers. */
export interface PlannedMessage extends ScriptedMessage {
  atMs: number;
  answers?: ScriptedToolCall;
}

export interface PlannedCall {
  startMs: number;
  endMs: number;
  /** Instructions and messages of the input. */
  system: readonly PlannedMessage[];
  input: readonly PlannedMessage[];
  /** Absent for a call without a recorded answer. */
  output?: PlannedMessage;
}

export interface PlannedTool {
  startMs: number;
  endMs: number;
  call: ScriptedToolCall;
  result: PlannedMessage;
}

/** Turn: everything between a user's message and the last answer to it. */
export interface PlannedTurn {
  startMs: number;
  endMs: number;
  question: readonly PlannedMessage[];
  answer?: PlannedMessage;
  calls: PlannedCall[];
  tools: PlannedTool[];
}

export interface PlanOptions {
  startMs: number;
  history: 'full' | 'incremental';
  toolSpans: boolean;
}

const DEFAULT_AFTER_MS = { system: 0, user: 5_000, assistant: 900, tool: 150 } as const;

/** Plans the turns, model calls and tool runs of a scripted conversation. */
export function planConversation(script: ScriptedConversation, options: PlanOptions): PlannedTurn[] {
  const messages = plannedMessages(script.messages, options.startMs);
  const starts = turnStarts(messages);
  return starts.map((start, turn) => planTurn(messages, start, starts[turn + 1] ?? messages.length, options));
}

function plannedMessages(messages: readonly ScriptedMessage[], startMs: number): PlannedMessage[] {
  const open: ScriptedToolCall[][] = [];
  let atMs = startMs;
  return messages.map((message, index) => {
    // Messages of models and tools take time, so that no two calls begin at once.
    const least = message.role === 'assistant' || message.role === 'tool' ? 1 : 0;
    if (index > 0 || least > 0) atMs += Math.max(message.afterMs ?? DEFAULT_AFTER_MS[message.role], least);
    if (message.toolCalls !== undefined) open.push([...message.toolCalls]);
    const answers = message.role === 'tool' ? takeCall(open, message.toolCallId) : undefined;
    return { ...message, atMs, ...(answers === undefined ? {} : { answers }) };
  });
}

function takeCall(open: ScriptedToolCall[][], id: string | undefined): ScriptedToolCall | undefined {
  for (const calls of open.toReversed()) {
    const at = id === undefined ? 0 : calls.findIndex((call) => call.id === id);
    const [call] = at === -1 ? [] : calls.splice(at, 1);
    if (call !== undefined) return call;
  }
  return undefined;
}

function turnStarts(messages: readonly PlannedMessage[]): number[] {
  const isStart = (index: number): boolean => {
    const before = messages[index - 1]?.role;
    return index === 0 || (messages[index]?.role === 'user' && (before === 'assistant' || before === 'tool'));
  };
  return [...messages.keys()].filter(isStart);
}

function planTurn(messages: readonly PlannedMessage[], from: number, to: number, options: PlanOptions): PlannedTurn {
  const ofTurn = messages.slice(from, to);
  const spoken = ofTurn.filter((message) => message.role === 'user');
  const answer = ofTurn.findLast((message) => message.role === 'assistant');
  const calls: PlannedCall[] = [];
  const tools: PlannedTool[] = [];
  for (let index = from; index < to; index += 1) {
    const message = messages[index] as PlannedMessage;
    const startMs = messages[index - 1]?.atMs ?? options.startMs;
    if (message.role === 'assistant')
      calls.push({ startMs, endMs: message.atMs, ...inputOf(messages, index, options), output: message });
    if (message.role === 'tool' && message.answers !== undefined && options.toolSpans) {
      tools.push({ startMs, endMs: message.atMs, call: message.answers, result: message });
    }
  }
  const endMs = ofTurn.at(-1)?.atMs ?? options.startMs;
  if (to === messages.length && needsLastCall(messages, options)) {
    calls.push({ startMs: endMs, endMs: endMs + 1, ...inputOf(messages, to, options) });
  }
  const startMs =
    ofTurn.find((message) => message.role === 'user')?.atMs ?? messages[from - 1]?.atMs ?? options.startMs;
  return { startMs, endMs: endMs + 1, question: spoken, ...(answer === undefined ? {} : { answer }), calls, tools };
}

/**
 * Tells whether the last messages went to a model too, in a call without a recorded answer; tool spans may already
 * record them.
 */
function needsLastCall(messages: readonly PlannedMessage[], options: PlanOptions): boolean {
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  return messages
    .slice(last + 1)
    .some((message) => message.role !== 'tool' || message.answers === undefined || !options.toolSpans);
}

function inputOf(messages: readonly PlannedMessage[], index: number, { history }: PlanOptions) {
  const firstSpoken = messages.findIndex((message) => message.role !== 'system');
  const lead = Math.min(firstSpoken === -1 ? messages.length : firstSpoken, index);
  const before = messages.slice(0, index);
  const since =
    history === 'full' ? lead : Math.max(before.findLastIndex((message) => message.role === 'assistant') + 1, lead);
  return { system: messages.slice(0, lead), input: before.slice(since) };
}
