import type { SnapshotMessage, ToolDefinition } from '@clew/contracts';
import { speaksToReaders } from '@clew/knowledge';
import { textsOf } from '@clew/review';

const LEFT_OUT = '(left out: this message speaks to whoever reads the conversation)';

/** Answers by message: each is asked about several times, and may be long. */
const knownMessages = new WeakMap<SnapshotMessage, boolean>();

/**
 * Tells whether a message speaks to its readers, as planted instructions do. A system prompt comes from the application
 * itself, and may; retrieved text in it may not.
 */
export function isAddressed(message: SnapshotMessage): boolean {
  const known = knownMessages.get(message) ?? speaksToItsReaders(message);
  knownMessages.set(message, known);
  return known;
}

function speaksToItsReaders(message: SnapshotMessage): boolean {
  const { role, origin, name = '', error } = message;
  if (role === 'system' && origin === undefined) return false;
  return [...textsOf(message), name, error?.message ?? ''].some(speaksToReaders);
}

/**
 * Messages as a model is shown them: of one that speaks to its readers, only that it is there. So a model that obeys
 * whatever it reads has nothing to obey, as far as such words are recognized; the checks of its answer hold besides.
 */
export function withoutAddressed(messages: readonly SnapshotMessage[]): SnapshotMessage[] {
  return messages.map((message) => {
    if (!isAddressed(message)) return message;
    const { index, role, traceId, spanId, atMs } = message;
    return { index, role, content: LEFT_OUT, traceId, spanId, atMs };
  });
}

/** Tools as a model is shown them: without descriptions that speak to their readers. */
export function plainTools(tools: readonly ToolDefinition[]): ToolDefinition[] {
  return tools.map((tool) =>
    speaksToReaders(JSON.stringify([tool.description, tool.parameters])) ? { name: tool.name, parameters: {} } : tool,
  );
}
