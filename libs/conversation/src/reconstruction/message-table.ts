import { attachmentIdentity, canonicalText, type ReadMessage } from '../dialects/index.ts';

/** Message with a number that all messages of the same content share. */
export interface Said {
  symbol: number;
  message: ReadMessage;
}

export interface MessageTable {
  intern(message: ReadMessage): Said;
}

/**
 * Assigns a number to each distinct message, so that histories are compared as numbers and a message that is repeated
 * in every call is stored once. The number depends on role, content, calls and attachments. It does not depend on ids,
 * names, reasoning and finish reasons, because histories omit them, nor on white space around a model's or a system's
 * text, because applications trim it before they send it back.
 */
export function createMessageTable(): MessageTable {
  const symbols = new Map<string, { symbol: number; variants: Map<string, Said> }>();
  return {
    intern(message) {
      const key = saidKey(message);
      let known = symbols.get(key);
      if (known === undefined) symbols.set(key, (known = { symbol: symbols.size, variants: new Map() }));
      const details = detailKey(message);
      let said = known.variants.get(details);
      if (said === undefined) known.variants.set(details, (said = { symbol: known.symbol, message }));
      return said;
    },
  };
}

function saidKey({ role, content, toolCalls, attachments }: ReadMessage): string {
  const text = role === 'assistant' || role === 'system' ? content.trim() : content;
  const calls = toolCalls === undefined ? '' : canonicalText(toolCalls.map((call) => [call.name, call.arguments]));
  const files = attachments === undefined ? '' : attachments.map(attachmentIdentity).join(' ');
  return `${role} ${text.length} ${text} ${calls.length} ${calls} ${files}`;
}

/** Key of the details that may differ between records of one message; equal details mean the very same message. */
function detailKey({ content, toolCallId, name, finishReason, reasoning, isError, toolCalls }: ReadMessage): string {
  const spacing = content.length === content.trim().length ? '' : JSON.stringify(content);
  const ids = toolCalls === undefined ? '' : toolCalls.map((call) => call.id ?? '').join(' ');
  return [toolCallId, name, finishReason, isError, ids, spacing, reasoning].join('\u0001');
}
