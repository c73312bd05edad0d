import type { ConversationFinder } from '@clew/conversation';
import type { FragmentHead, RecordRows } from '../fragments/index.ts';

/** What of one trace belongs to one conversation. */
export interface TracePart extends RecordRows {
  /** The trace has more than is looked at. */
  truncated: boolean;
}

/** Which records of a trace belong to which conversation. */
export interface Layout {
  traceId: string;
  /** By conversation. Of a large trace those that are wanted. */
  parts: ReadonlyMap<string, TracePart>;
  /** There are more records of what is wanted than are held at a time: fewer conversations may do. */
  hasMore: boolean;
}

/** Whether somebody wants the records of a conversation that a fragment holds. */
export type IsWanted = (conversationId: string, fragment: Pick<FragmentHead, '_id'>) => boolean;

/** A trace that has many fragments. */
export interface CrowdedTrace {
  projectId: string;
  traceId: string;
}

/** The records of one trace, by conversation. */
export function partsOf({ spans, logs }: RecordRows, finder: ConversationFinder, truncated: boolean): Layout['parts'] {
  const parts = new Map<string, TracePart>();
  const partFor = ({ spanId }: { spanId: string }): TracePart => {
    const conversationId = finder.of(spanId);
    const part = parts.get(conversationId) ?? { spans: [], logs: [], truncated };
    parts.set(conversationId, part);
    return part;
  };
  for (const span of spans) partFor(span).spans.push(span);
  for (const log of logs) partFor(log).logs.push(log);
  return parts;
}
