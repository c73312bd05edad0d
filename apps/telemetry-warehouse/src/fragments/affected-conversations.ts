import type { Touch } from '../conversations/index.ts';
import type { SpanPlace, TraceActivity } from './message-fragments.ts';
import type { NamesOfTrace, PlaceStore } from './places.store.ts';

export interface AffectedConversationsOptions {
  places: PlaceStore;
  /** Number of conversations named in a trace beyond which only those that the message changes are found. */
  maxNamedOfTrace: number;
}

/** Finds the conversations that may change because of a message's records of a trace. */
export type AffectedConversations = (
  projectId: string,
  activity: TraceActivity,
  stored: NamesOfTrace | undefined,
) => Promise<Touch[]>;

/** Maximum number of steps by which spans of a wide trace are followed upwards. */
const MAX_ROUNDS = 32;

/**
 * Finds affected conversations. A new span may move other spans between the conversations of its trace, so all of them
 * change, or else the trace itself. In a trace that names very many (a batch job), each message would touch all of
 * them; there, only those reached from the new spans are found.
 */
export function createAffectedConversations({
  places,
  maxNamedOfTrace,
}: AffectedConversationsOptions): AffectedConversations {
  /**
   * Includes the conversations named first: spans without a named span above them belong to the first named one, so a
   * new first one takes them from another.
   */
  async function ofWideTrace(projectId: string, activity: TraceActivity): Promise<string[]> {
    await places.placeAll(projectId, activity.traceId);
    const first = await places.firstNamesOf(projectId, activity.traceId);
    return [...new Set([...first, ...(await namedAround(projectId, activity))])];
  }

  /** Finds the conversations that the trace's new spans, or the nearest spans above them, name. */
  async function namedAround(projectId: string, activity: TraceActivity): Promise<Set<string>> {
    const names = new Set<string>();
    const seen = new Set(activity.places.map(({ spanId }) => spanId));
    let found: readonly SpanPlace[] = activity.places;
    for (let round = 0; round < MAX_ROUNDS && found.length > 0; round += 1) {
      const above = new Set<string>();
      for (const { conversationId, parentSpanId } of found) {
        if (conversationId !== undefined) names.add(conversationId);
        else if (parentSpanId !== undefined && !seen.has(parentSpanId)) above.add(parentSpanId);
      }
      for (const spanId of above) seen.add(spanId);
      found = above.size === 0 ? [] : await places.placesOf(projectId, activity.traceId, [...above]);
    }
    return names;
  }

  return async (projectId, activity, stored) => {
    const { traceId, startedAt, lastActivityAt, listed } = activity;
    const { names = [], isWide = false } = stored ?? {};
    const affected = isWide || names.length > maxNamedOfTrace ? await ofWideTrace(projectId, activity) : names;
    const implicit = affected.length === 0;
    const conversationIds = implicit ? [traceId] : affected;
    return conversationIds.map((conversationId) => ({
      ...{ projectId, conversationId, implicit, listed, startedAt, lastActivityAt },
    }));
  };
}
