import type { ConversationMessage, ConversationSnapshot, ToolCall } from '@clew/contracts';
import { jsonText, toolExchangesOf, type ToolExchange } from '../conversation/tool-exchanges.ts';
import { agentOf, userMessageTest } from '../conversation/turns.ts';
import { viewOf } from '../view/conversation-view.ts';
import { knownWords, type KnownWords } from './known-words.ts';
import { asksUser } from './tool-words.ts';

/** Utterance of the user to an agent, or of an agent. */
export interface Utterance {
  readonly speaker: 'user' | 'agent';
  readonly text: string;
  readonly message: ConversationMessage;
  readonly position: number;
}

/** Recorded call, with the message that made it and its position among all messages. */
export interface RecordedCall extends ToolExchange {
  readonly call: ToolCall;
  readonly callMessage: ConversationMessage;
  readonly position: number;
}

/** Snapshot analyzed once for all Expectations. */
export interface ConversationReading {
  readonly snapshot: ConversationSnapshot;
  /** Every call of an agent, in order. */
  readonly calls: readonly RecordedCall[];
  /** Whether the beginning may be missing, so that an absence there proves nothing. */
  readonly beginsInTheMiddle: boolean;
  /** Whether the end may be missing. */
  readonly endIsMissing: boolean;
  /** Utterances in order: tools that ask the user something yield both the question and the answer. */
  readonly utterances: readonly Utterance[];
  /** The words of every message. */
  readonly allWords: KnownWords;
  /** Words of users, tools and prompts: an agent's own words are no source. */
  readonly sourceWords: KnownWords;
  positionOf(message: ConversationMessage): number;
  hasFailed(exchange: ToolExchange): boolean;
  isOfAgent(message: ConversationMessage, agent: string | undefined): boolean;
}

/** Analyzes a snapshot once, so that each further Expectation costs only its own check. */
export function readConversation(snapshot: ConversationSnapshot): ConversationReading {
  const { positionOf, errorOf } = viewOf(snapshot);
  const exchanges = toolExchangesOf(snapshot.messages);
  const calls = exchanges.flatMap((exchange): RecordedCall[] => {
    const { call, callMessage } = exchange;
    if (call === undefined || callMessage === undefined) return [];
    return [{ ...exchange, call, callMessage, position: positionOf(callMessage) }];
  });
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
    hasFailed: ({ result }) => result !== undefined && errorOf(result) !== undefined,
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
