import type { ToldEvent } from './event-of.ts';

/** Reads what Findings are called, and whose words that is. */
export type TitlesOf = (findingIds: readonly string[]) => Promise<ReadonlyMap<string, FindingTitle>>;

export interface FindingTitle {
  title: string;
  conversationId: string;
}

interface OfConversation {
  projectId: string;
  conversationId: string;
}

/** Event with the conversations whose words it shows. */
export interface DescribedEvent extends ToldEvent {
  conversationIds: string[];
}

export interface DescribeEventsOptions {
  titlesOf: TitlesOf;
  /** Drops what belongs to erased conversations. */
  withoutErased(some: readonly OfConversation[]): Promise<OfConversation[]>;
}

/** Adds the titles of Findings, in one read; nothing is said of conversations that were erased. */
export function createDescribeEvents({ titlesOf, withoutErased }: DescribeEventsOptions) {
  return async (events: readonly ToldEvent[]): Promise<DescribedEvent[]> => {
    const findingIds = [...new Set(events.flatMap(({ findingId }) => findingId ?? []))];
    const titles = findingIds.length === 0 ? new Map<string, FindingTitle>() : await titlesOf(findingIds);
    const titleOf = ({ findingId = '' }: ToldEvent) => titles.get(findingId);
    const quoted = events.flatMap((event) => {
      const named = [event.conversationId, titleOf(event)?.conversationId].filter((id) => id !== undefined);
      return named.map((conversationId) => ({ projectId: event.projectId, conversationId }));
    });
    const kept = new Set((await withoutErased(quoted)).map(keyOf));
    return events.map((event) => described(event, titleOf(event), kept));
  };
}

function described(event: ToldEvent, found: FindingTitle | undefined, kept: ReadonlySet<string>): DescribedEvent {
  const { projectId, conversationId, findingId } = event;
  if (findingId === undefined) return { ...event, conversationIds: [] };
  const isKept = (id: string | undefined) => id !== undefined && kept.has(keyOf({ projectId, conversationId: id }));
  const title = isKept(found?.conversationId) ? (found?.title ?? null) : null;
  const data = { ...event.data, title, ...(isKept(conversationId) ? {} : { conversationId: '' }) };
  const named = [conversationId, found?.conversationId].filter((id) => id !== undefined);
  return { ...event, data, conversationIds: [...new Set(named.filter(isKept))] };
}

function keyOf({ projectId, conversationId }: OfConversation): string {
  return JSON.stringify([projectId, conversationId]);
}
