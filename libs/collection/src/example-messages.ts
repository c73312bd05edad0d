import type { ConversationMessage, ExampleMessage, ToolDefinition } from '@clew/contracts';
import type { Redactor } from '@clew/privacy';

/**
 * Messages of a conversation in the form of an Example: roles, names, calls and their results as they were, so that an
 * export trains on what the agent saw. Messages that say nothing are left out. Personal data are replaced if a redactor
 * is given.
 */
export function exampleMessages(messages: readonly SaidMessage[], redactor: Redactor | undefined): ExampleMessage[] {
  return messages.flatMap((message) => exampleMessage(message, redactor) ?? []);
}

/** Parts of a message that an Example keeps. */
export type SaidMessage = Pick<ConversationMessage, 'role' | 'content' | 'name' | 'toolCalls' | 'toolCallId'>;

/** One message in the form of an Example; `undefined` if it says nothing. */
export function exampleMessage(
  { role, content, name, toolCalls = [], toolCallId }: SaidMessage,
  redactor: Redactor | undefined,
): ExampleMessage | undefined {
  const text = redactor?.text(content) ?? content;
  const calls = toolCalls.map(({ id, name: called, arguments: given }) => ({
    arguments: (redactor === undefined ? given : redactor.value(given)) ?? {},
    ...(id === undefined ? {} : { id }),
    name: called,
  }));
  if (text === '' && calls.length === 0 && role !== 'tool') return undefined;
  const speaker = name === undefined || redactor === undefined || role === 'tool' ? name : redactor.text(name);
  return {
    content: text === '' && calls.length > 0 ? null : text,
    ...(speaker === undefined || speaker === '' ? {} : { name: speaker }),
    role,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
  };
}

/** Tools that were offered, in the form in which providers take them. */
export function exampleTools(tools: readonly ToolDefinition[]): object[] {
  return tools.map(({ name, description, parameters }) => ({
    function: { ...(description === undefined ? {} : { description }), name, parameters: parameters ?? {} },
    type: 'function',
  }));
}
