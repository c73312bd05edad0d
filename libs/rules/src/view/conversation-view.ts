import type { ConversationMessage, ConversationSnapshot, ToolCall } from '@clew/contracts';
import { messageSentences } from '../conversation/message-sentences.ts';
import { oncePer } from '../conversation/once-per.ts';
import { jsonText, toolExchangesOf, type ToolExchange } from '../conversation/tool-exchanges.ts';
import { toolCharacter, type ToolCharacter } from '../conversation/tool-names.ts';
import { agentOf, turnsOf, userMessageTest, type Turn } from '../conversation/turns.ts';
import { jsonLeaves, parseJson, type JsonLeaf } from '../values/json-leaves.ts';
import { scanText, type ScannedText } from '../values/scan-text.ts';
import { firstAtOrAfter, ValueIndex } from '../values/value-index.ts';
import { toolErrorOf, type ToolError } from '../errors/tool-error.ts';
import { NO_PHRASES } from '../text/phrases.ts';
import type { Sentence } from '../text/sentences.ts';

/** Recorded tool call with everything known about it. */
export interface ViewedCall extends ToolExchange {
  readonly call: ToolCall;
  readonly callMessage: ConversationMessage;
  /** Position of the calling message in the conversation. */
  readonly position: number;
  readonly character: ToolCharacter;
  /** Error that the tool returned, if any. */
  readonly error: ToolError | undefined;
  /** Scalars among the arguments. */
  readonly leaves: readonly JsonLeaf[];
}

/** Conversation as read by Rules, links and the judgement: each part is computed once, on demand. */
export interface ConversationView {
  readonly snapshot: ConversationSnapshot;
  readonly messages: readonly ConversationMessage[];
  readonly turns: readonly Turn[];
  /** Messages of users, without those that an agent sends in the user's role. */
  readonly userMessages: readonly ConversationMessage[];
  readonly exchanges: readonly ToolExchange[];
  readonly calls: readonly ViewedCall[];
  readonly values: ValueIndex;
  isFromUser(message: ConversationMessage): boolean;
  /** Last message of a user before a position. */
  userMessageBefore(position: number): ConversationMessage | undefined;
  agentOf(message: ConversationMessage): string;
  positionOf(message: ConversationMessage): number;
  /** Sentences of a message's content. */
  sentences(message: ConversationMessage): readonly Sentence[];
  /** Words and values of a message's content, without its calls' arguments. */
  scan(message: ConversationMessage): ScannedText;
  /** JSON value of a message that consists of JSON; otherwise undefined. */
  json(message: ConversationMessage): unknown;
  errorOf(result: ConversationMessage): ToolError | undefined;
}

/**
 * Returns the view of a snapshot; the same object for the same snapshot, so that all Rules share its computed parts.
 */
export const viewOf: (snapshot: ConversationSnapshot) => ConversationView = oncePer(createView);

function createView(snapshot: ConversationSnapshot): ConversationView {
  const { messages } = snapshot;
  const isFromUser = userMessageTest(snapshot);
  const scan = memoized((message: ConversationMessage) => scanText(message.content));
  const json = memoized((message: ConversationMessage) => parseJson(message.content));
  const errorOf = memoized((message: ConversationMessage) => toolErrorOf(message, NO_PHRASES));
  const positions = once(() => new Map(messages.map((message, position) => [message, position])));
  const positionOf = (message: ConversationMessage): number => positions().get(message) ?? -1;
  const turns = once(() => turnsOf(snapshot));
  const userMessages = once(() => messages.filter(isFromUser));
  const userPositions = once(() => userMessages().map(positionOf));
  const exchanges = once(() => toolExchangesOf(messages));
  const characterOf = memoized(toolCharacter);
  const calls = once(() => exchanges().flatMap((exchange) => viewedCall(exchange, positionOf, errorOf, characterOf)));
  const view: ConversationView = {
    snapshot,
    messages,
    get turns() {
      return turns();
    },
    get userMessages() {
      return userMessages();
    },
    get exchanges() {
      return exchanges();
    },
    get calls() {
      return calls();
    },
    get values() {
      return values();
    },
    isFromUser,
    userMessageBefore: (position) => userMessages()[firstAtOrAfter(userPositions(), position) - 1],
    agentOf: (message) => agentOf(snapshot, message),
    positionOf,
    sentences: messageSentences,
    scan,
    json,
    errorOf,
  };
  const values = once(() => new ValueIndex(view));
  return view;
}

function viewedCall(
  exchange: ToolExchange,
  positionOf: (message: ConversationMessage) => number,
  errorOf: (message: ConversationMessage) => ToolError | undefined,
  characterOf: (toolName: string) => ToolCharacter,
): ViewedCall[] {
  const { call, callMessage, result } = exchange;
  if (call === undefined || callMessage === undefined) return [];
  return [
    {
      ...exchange,
      call,
      callMessage,
      position: positionOf(callMessage),
      character: characterOf(call.name),
      error: result === undefined ? undefined : errorOf(result),
      leaves: jsonLeaves(parsedArguments(call.arguments)),
    },
  ];
}

/** Parses arguments that came as text, if the model wrote JSON; other text is one value. */
function parsedArguments(args: unknown): unknown {
  return typeof args === 'string' ? (parseJson(args) ?? args) : args;
}

export function argumentsText(call: ToolCall): string {
  return jsonText(call.arguments);
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function memoized<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, { value: Value }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}
