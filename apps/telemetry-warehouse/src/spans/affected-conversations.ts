import type { Touch } from '../conversations/conversations.store.ts';
import type { SpanPlace, TraceActivity } from './message-documents.ts';
import type { SpanStore } from './spans.store.ts';
import type { TraceLinkStore } from './trace-links.store.ts';

export interface AffectedConversationsOptions {
  spans: Pick<SpanStore, 'readPlaces'>;
  links: Pick<TraceLinkStore, 'conversationsOf'>;
  /** Of a trace that names more conversations than this, only those that the message changes are found. */
  maxNamedOfTrace?: number;
}

const MAX_NAMED_OF_TRACE = 32;
/** Spans of a wide trace are followed upwards through at most so many messages. */
const MAX_ROUNDS = 32;

/**
 * Finds the conversations that may change by the records of a message, which are stored already: those that any span of
 * their traces names, since a new span may move others between them, or else the trace itself. A trace that names very
 * many (a batch job) would touch all of them with each message: there only those that are found from the new spans.
 */
export function createAffectedConversations({
  spans,
  links,
  maxNamedOfTrace = MAX_NAMED_OF_TRACE,
}: AffectedConversationsOptions) {
  async function namesOf(projectId: string, activity: TraceActivity, named: readonly string[]): Promise<string[]> {
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

  return async (projectId: string, activity: readonly TraceActivity[]): Promise<Touch[]> => {
    const traceIds = activity.map(({ traceId }) => traceId);
    const named = await links.conversationsOf(projectId, traceIds, maxNamedOfTrace + 1);
    const touches: Touch[] = [];
    for (const one of activity) {
      const ofTrace = named.get(one.traceId);
      const implicit = ofTrace === undefined;
      const conversationIds = implicit ? [one.traceId] : await namesOf(projectId, one, ofTrace);
      const { startedAt, lastActivityAt, listed } = one;
      for (const conversationId of conversationIds) {
        touches.push({ projectId, conversationId, implicit, listed, startedAt, lastActivityAt });
      }
    }
    return touches;
  };
}
