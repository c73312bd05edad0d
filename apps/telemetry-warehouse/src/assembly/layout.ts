import type { ConversationFinder } from '@clew/conversation';
import type { FragmentHead, RecordRows } from '../fragments/index.ts';

/** Records of one trace that belong to one conversation. */
export interface TracePart extends RecordRows {
  /** True if the trace has more than is read. */
  truncated: boolean;
}

/** Assignment of a trace's records to conversations. */
export interface Layout {
  traceId: string;
  /** Parts by conversation. For a large trace, only the wanted ones. */
  parts: ReadonlyMap<string, TracePart>;
  /** True if there are more wanted records than are held at a time; asking for fewer conversations may help. */
  hasMore: boolean;
}

/** Whether the records of a conversation in a fragment are wanted. */
export type IsWanted = (conversationId: string, fragment: Pick<FragmentHead, '_id'>) => boolean;

/** Trace that has many fragments. */
export interface CrowdedTrace {
  projectId: string;
  traceId: string;
}

/** Groups the records of one trace by conversation. */
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
