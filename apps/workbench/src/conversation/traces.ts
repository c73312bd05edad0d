import type { Api } from '@clew/sdk';

/** Trace of a conversation, with what of the conversation is in it. */
export interface ConversationTrace {
  readonly traceId: string;
  /** Time of its first message; undefined where none of its messages is left. */
  readonly atMs: number | undefined;
  readonly messages: number;
  readonly errors: number;
  /** Words with which it begins. */
  readonly words: string;
}

const MAX_WORDS = 160;

/** Traces of a conversation, in the order in which they began. */
export function tracesOf({ traceIds, messages }: Pick<Api.Conversation, 'traceIds' | 'messages'>): ConversationTrace[] {
  const byTrace = new Map<string, Api.ConversationMessage[]>(traceIds.map((traceId) => [traceId, []]));
  for (const message of messages) {
    const own = byTrace.get(message.traceId);
    if (own === undefined) byTrace.set(message.traceId, [message]);
    else own.push(message);
  }
  return [...byTrace].map(([traceId, own]) => ({
    traceId,
    atMs: own[0]?.atMs,
    messages: own.length,
    errors: own.filter(({ error }) => error !== undefined).length,
    words: (own.find(({ role }) => role === 'user') ?? own[0])?.content.slice(0, MAX_WORDS) ?? '',
  }));
}
