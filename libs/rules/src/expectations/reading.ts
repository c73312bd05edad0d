import type { ConversationMessage, ConversationSnapshot, ToolCall } from '@clew/contracts';
import { jsonText, toolExchangesOf, type ToolExchange } from '../conversation/tool-exchanges.ts';
import { agentOf, userMessageTest } from '../conversation/turns.ts';
import { toolErrorOf } from '../rules/tool-error-unhandled/tool-error.ts';
import { compilePhrases } from '../text/phrases.ts';
import { knownWords, type KnownWords } from './known-words.ts';
import { asksUser } from './tool-words.ts';

/** Something that was said: by the user to an agent, or by an agent. */
export interface Utterance {
  readonly speaker: 'user' | 'agent';
  readonly text: string;
  readonly message: ConversationMessage;
  readonly position: number;
}

/** A call that was recorded, with the message that made it and its place among all messages. */
export interface RecordedCall extends ToolExchange {
  readonly call: ToolCall;
  readonly callMessage: ConversationMessage;
  readonly position: number;
}

/** A snapshot, read once for all Expectations. */
export interface ConversationReading {
  readonly snapshot: ConversationSnapshot;
  /** Every call of an agent, in order. */
  readonly calls: readonly RecordedCall[];
  /** Whether what came first may be missing, so that nothing follows from its absence. */
  readonly beginsInTheMiddle: boolean;
  /** Whether what came last may be missing. */
  readonly endIsMissing: boolean;
  /** What was said, in order: tools that ask the user something speak for both. */
  readonly utterances: readonly Utterance[];
  /** The words of every message. */
  readonly allWords: KnownWords;
  /** The words of users, tools and prompts: what an agent says itself is no source. */
  readonly sourceWords: KnownWords;
  /** Where a message stands. */
  positionOf(message: ConversationMessage): number;
  hasFailed(exchange: ToolExchange): boolean;
  isOfAgent(message: ConversationMessage, agent: string | undefined): boolean;
}

const NO_KEYWORDS = compilePhrases([]);

/** Reads a snapshot once, so that each Expectation after the first costs only its own check. */
export function readConversation(snapshot: ConversationSnapshot): ConversationReading {
  const positions = new Map(snapshot.messages.map((message, position) => [message, position]));
  const positionOf = (message: ConversationMessage): number => positions.get(message) ?? -1;
  const exchanges = toolExchangesOf(snapshot.messages);
  const calls = exchanges.flatMap((exchange): RecordedCall[] => {
    const { call, callMessage } = exchange;
    if (call === undefined || callMessage === undefined) return [];
    return [{ ...exchange, call, callMessage, position: positionOf(callMessage) }];
  });
  const failures = new Map<ConversationMessage, boolean>();
  let utterances: Utterance[] | undefined;
  let allWords: KnownWords | undefined;
  let sourceWords: KnownWords | undefined;
  return {
    snapshot,
    calls,
    beginsInTheMiddle:
      snapshot.scope === 'traces' || snapshot.messages.find((message) => message.role !== 'system')?.role === 'tool',
    endIsMissing: snapshot.scope !== 'conversation' || snapshot.truncated,
    get utterances() {
      utterances ??= utterancesOf(snapshot, calls, positionOf);
      return utterances;
    },
    get allWords() {
      allWords ??= knownWords(snapshot.messages, () => true);
      return allWords;
    },
    get sourceWords() {
      sourceWords ??= knownWords(snapshot.messages, (message) => message.role !== 'assistant');
      return sourceWords;
    },
    positionOf,
    hasFailed({ result }) {
      if (result === undefined) return false;
      const known = failures.get(result) ?? toolErrorOf(result, NO_KEYWORDS) !== undefined;
      failures.set(result, known);
      return known;
    },
    isOfAgent: (message, agent) => agent === undefined || agentOf(snapshot, message) === agent,
  };
}

function utterancesOf(
  snapshot: ConversationSnapshot,
  calls: readonly RecordedCall[],
  positionOf: (message: ConversationMessage) => number,
): Utterance[] {
  const isFromUser = userMessageTest(snapshot);
  const said = snapshot.messages.flatMap((message, position): Utterance[] => {
    if (message.role === 'system' || message.role === 'tool' || message.content.trim() === '') return [];
    return [{ speaker: isFromUser(message) ? 'user' : 'agent', text: message.content, message, position }];
  });
  for (const { call, callMessage, position, result, toolName } of calls) {
    if (!asksUser(toolName)) continue;
    said.push({ speaker: 'agent', text: jsonText(call.arguments), message: callMessage, position });
    if (result === undefined) continue;
    said.push({ speaker: 'user', text: result.content, message: result, position: positionOf(result) });
  }
  return said.sort((left, right) => left.position - right.position);
}
