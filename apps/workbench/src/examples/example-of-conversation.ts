import type { Api } from '@clew/sdk';
import { visibleText } from '../text/visible-text.ts';
import type { Comparable } from './example-changes.ts';

type Spoken = Pick<Api.Conversation, 'id' | 'messages' | 'tools' | 'traceIds'>;
type Message = Api.ConversationMessage;

const MAX_TRACES = 1_000;

/** Number of the answer that an Example is made of: that of a step, or the last answer before it. */
export function answerIndex(messages: readonly Message[], step: number | undefined): number {
  const isAnswer = ({ role }: Message) => role === 'assistant';
  if (step === undefined) return messages.findLastIndex(isAnswer);
  // A failed tool call shows at its result; what was wrong is the answer that made it.
  const at = messages.findLastIndex((message) => isAnswer(message) && message.index <= step);
  return at >= 0 ? at : messages.findIndex(isAnswer);
}

const SHOWN = 90;

/** Answers of a conversation, each in a few words by which one knows it. */
export function answersOf(messages: readonly Message[]): { readonly index: number; readonly words: string }[] {
  return messages
    .filter(({ role }) => role === 'assistant')
    .map(({ index, content, toolCalls = [] }) => {
      const said = content === '' ? `calls ${toolCalls.map(({ name }) => name).join(', ')}` : content;
      const text = visibleText(said.replaceAll(/\s+/g, ' '));
      return { index, words: `Step ${index + 1}: ${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}` };
    });
}

/**
 * Makes the Example of a conversation: what was said before an answer is the input, and the answer, which was bad, is
 * rejected. Undefined where nobody answered, or the words have expired.
 */
export function exampleOfConversation(conversation: Spoken, step: number | undefined): Comparable | undefined {
  const { id, messages, tools, traceIds } = conversation;
  const at = answerIndex(messages, step);
  const answer = messages[at];
  if (answer === undefined) return undefined;
  const before = messages.slice(0, at).flatMap(exampleMessage);
  const [rejected] = exampleMessage(answer);
  if (before.length === 0 || rejected === undefined) return undefined;
  const traces = [...new Set(messages.slice(0, at + 1).map(({ traceId }) => traceId))].slice(-MAX_TRACES);
  const { toolCallId: _, ...message } = rejected;
  return {
    payload: {
      input: { messages: before, ...(tools.length === 0 ? {} : { tools: tools.map(exampleTool) }), type: 'chat' },
      rejectedOutput: { message: { ...message, role: 'assistant' }, type: 'chat_message' },
    },
    source: { conversationId: id, kind: 'conversation', traceIds: traces.length === 0 ? traceIds : traces },
    tags: [],
  };
}

/** Message as an Example has it; none if it says nothing. */
function exampleMessage({ role, content, name, toolCalls = [], toolCallId }: Message): Api.ExampleMessage[] {
  if (content === '' && toolCalls.length === 0 && role !== 'tool') return [];
  const calls = toolCalls.map(({ id, name: called, arguments: given }) => ({
    arguments: given ?? {},
    ...(id === undefined ? {} : { id }),
    name: called,
  }));
  return [
    {
      content: content === '' && calls.length > 0 ? null : content,
      ...(name === undefined || name === '' ? {} : { name }),
      role,
      ...(toolCallId === undefined ? {} : { toolCallId }),
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
    },
  ];
}

function exampleTool({ name, description, parameters }: Spoken['tools'][number]) {
  return {
    function: { ...(description === undefined ? {} : { description }), name, parameters: parameters ?? {} },
    type: 'function',
  };
}
