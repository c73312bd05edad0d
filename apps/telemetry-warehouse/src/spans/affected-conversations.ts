import type { Touch } from '../conversations/conversations.store.ts';
import type { SpanPlace, TraceActivity } from './message-documents.ts';
import type { SpanStore } from './spans.store.ts';

export interface AffectedConversationsOptions {
  spans: Pick<SpanStore, 'readPlaces'>;
  /** Of a trace that names more conversations than this, only those that the message changes are found. */
  maxNamedOfTrace: number;
}

/** Finds the conversations that may change by what a message says of a trace. */
export type AffectedConversations = (
  projectId: string,
  activity: TraceActivity,
  /** The conversations that the trace names, the first named first; one more than the bound where it is wide. */
  named: readonly string[],
) => Promise<Touch[]>;

/** Spans of a wide trace are followed upwards through at most so many messages. */
const MAX_ROUNDS = 32;

/**
 * A new span may move others between the conversations of its trace, so that all of them change, or else the trace
 * itself. A trace that names very many (a batch job) would touch all of them with each message: there only those that
 * are found from the new spans.
 */
export function createAffectedConversations({
  spans,
  maxNamedOfTrace,
}: AffectedConversationsOptions): AffectedConversations {
  async function changedOf(projectId: string, activity: TraceActivity, named: readonly string[]): Promise<string[]> {
    if (named.length <= maxNamedOfTrace) return [...named];
    const [first, second] = named as [string, string];
    // What has no named span above it goes with the first named one: a new first takes it from the second.
    return [...new Set([first, second, ...(await namedAround(projectId, activity))])];
  }

  /** The conversations that the trace's new spans, or the nearest spans above them, name. */
  async function namedAround(projectId: string, { traceId, spans: places }: TraceActivity): Promise<Set<string>> {
    const names = new Set<string>();
    const seen = new Set<string>(places.keys());
    let found: readonly SpanPlace[] = [...places.values()];
    for (let round = 0; round < MAX_ROUNDS && found.length > 0; round += 1) {
      const above = new Set<string>();
      for (const { conversationId, parentSpanId } of found) {
        if (conversationId !== undefined) names.add(conversationId);
        else if (parentSpanId !== undefined && !seen.has(parentSpanId)) above.add(parentSpanId);
      }
      for (const spanId of above) seen.add(spanId);
      found = above.size === 0 ? [] : await spans.readPlaces(projectId, traceId, [...above]);
    }
    return names;
  }

  return async (projectId, activity, named) => {
    const implicit = named.length === 0;
    const { traceId, startedAt, lastActivityAt, listed } = activity;
    const conversationIds = implicit ? [traceId] : await changedOf(projectId, activity, named);
    return conversationIds.map((conversationId) => ({
      ...{ projectId, conversationId, implicit, listed, startedAt, lastActivityAt },
    }));
  };
}
