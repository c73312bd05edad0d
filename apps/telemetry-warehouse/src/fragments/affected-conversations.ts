import type { Touch } from '../conversations/index.ts';
import type { SpanPlace, TraceActivity } from './message-fragments.ts';
import type { NamesOfTrace, PlaceStore } from './places.store.ts';

export interface AffectedConversationsOptions {
  places: PlaceStore;
  /** Of a trace that names more conversations than this, only those that the message changes are found. */
  maxNamedOfTrace: number;
}

/** Finds the conversations that may change by what a message says of a trace. */
export type AffectedConversations = (
  projectId: string,
  activity: TraceActivity,
  stored: NamesOfTrace | undefined,
) => Promise<Touch[]>;

/** Spans of a wide trace are followed upwards through at most so many messages. */
const MAX_ROUNDS = 32;

/**
 * A new span may move others between the conversations of its trace, so that all of them change, or else the trace
 * itself. A trace that names very many (a batch job) would touch all of them with each message: there only those that
 * are found from the new spans.
 */
export function createAffectedConversations({
  places,
  maxNamedOfTrace,
}: AffectedConversationsOptions): AffectedConversations {
  /** What has no named span above it goes with the first named one, so that a new first takes it from another. */
  async function ofWideTrace(projectId: string, activity: TraceActivity): Promise<string[]> {
    await places.placeAll(projectId, activity.traceId);
    const first = await places.firstNamesOf(projectId, activity.traceId);
    return [...new Set([...first, ...(await namedAround(projectId, activity))])];
  }

  /** The conversations that the trace's new spans, or the nearest spans above them, name. */
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
