import { isRecord, type JsonRecord } from './values.ts';

/** Types of items without a role, which only the Responses API has; its messages look like those of other APIs. */
const ITEM_TYPES: ReadonlySet<unknown> = new Set(['function_call', 'function_call_output', 'reasoning']);

/**
 * Converts a list of the Responses API to chat messages; any other list is returned as it is. The Responses API splits
 * an answer of a model into several items (its reasoning, its text, each of its calls). They become one message, as in
 * every other API and dialect.
 */
export function withGroupedItems(list: readonly unknown[]): readonly unknown[] {
  if (!list.some((item) => isRecord(item) && ITEM_TYPES.has(item.type) && item.role === undefined)) return list;
  const messages: unknown[] = [];
  /** Parts of the answer to which further items of the model belong. */
  let answer: unknown[] | undefined;
  for (const item of list) {
    const parts = isRecord(item) ? answerParts(item) : undefined;
    if (parts === undefined) {
      answer = undefined;
      messages.push(isRecord(item) && item.type === 'function_call_output' ? { role: 'tool', parts: [item] } : item);
    } else if (answer === undefined) {
      answer = [...parts];
      messages.push({ role: 'assistant', parts: answer });
    } else {
      answer.push(...parts);
    }
  }
  return messages;
}

/** Returns the parts that an item adds to the model's answer, or undefined for an item that is not the model's. */
function answerParts(item: JsonRecord): readonly unknown[] | undefined {
  if (item.type === 'reasoning') return [item];
  // The item's `id` names the item; `call_id` is what the result refers to.
  if (item.type === 'function_call') return [{ ...item, id: item.call_id ?? item.id }];
  if (item.type !== 'message' || item.role !== 'assistant') return undefined;
  return Array.isArray(item.content) ? item.content : [item.content];
}
