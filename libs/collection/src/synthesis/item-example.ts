import type { KnowledgeItem } from '@clew/contracts';
import { collected, collectedTags, redactedBy } from '../conversation-example.ts';
import type { Collected, Refused } from '../decision.ts';
import { itemQuotes } from '../look-at-item.ts';
import { createRedactor } from '@clew/privacy';

const MAX_TRACE_IDS = 1_000;
const MAX_QUOTES = 99;

export interface ItemExampleOptions {
  derivationKey: string;
  tags: readonly string[];
  redaction: boolean;
  /** Further names of persons, besides the one whom the item is about. */
  persons: readonly string[];
}

/** Makes the Example of a Knowledge item: a question of a user, the answer, and the item as the measure of an answer. */
export function itemExample(
  item: KnowledgeItem,
  { question, answer }: { question: string; answer: string },
  { derivationKey, tags, redaction, persons }: ItemExampleOptions,
): Collected | Refused {
  const redactor = redaction ? createRedactor({ names: [...namesOf(item), ...persons] }) : undefined;
  const redact = (text: string) => redactor?.text(text) ?? text;
  const criteria = [
    `The answer says what is known: ${item.content}`,
    ...itemQuotes(item)
      .slice(0, MAX_QUOTES)
      .map((quote) => `That rests on the words: "${quote}"`),
  ];
  // A first pass learns what a later text tells to be a secret, so that those before it lose it too.
  [question, answer, ...criteria].forEach(redact);
  const payload = {
    expectedOutput: { message: { content: redact(answer), role: 'assistant' }, type: 'chat_message' },
    input: { messages: [{ content: redact(question), role: 'user' }], type: 'chat' },
    rubric: { criteria: criteria.map(redact) },
  };
  const redacted = redactedBy(redactor);
  const { conversationId, traceIds } = originOf(item);
  const source = {
    ...(conversationId === '' ? {} : { conversationId }),
    ...{ derivationKey, externalRef: item.id, kind: 'synthetic' },
    ...(traceIds.length === 0 ? {} : { traceIds }),
  };
  return collected(derivationKey, { payload, source, tags: collectedTags(redacted, tags) }, redacted);
}

/** Conversation and traces that an item comes from; empty if a person wrote it. */
function originOf({ evidence, sourceConversationId, sourceTraceId }: KnowledgeItem) {
  const conversations = new Set(evidence.map(({ conversationId }) => conversationId));
  const [only] = conversations;
  const conversationId = conversations.size === 1 && only !== undefined ? only : sourceConversationId;
  const traceIds = [...new Set(evidence.map(({ traceId }) => traceId))].slice(0, MAX_TRACE_IDS);
  return { conversationId, traceIds: traceIds.length === 0 && sourceTraceId !== '' ? [sourceTraceId] : traceIds };
}

/** Name of the person whom an item is about, if that is somebody who spoke in a conversation. */
function namesOf({ subject: { kind, name, userId } }: KnowledgeItem): string[] {
  return kind === 'person' && userId !== null ? [name] : [];
}
