import { ConversationFinder } from '@clew/conversation';
import { createGate } from '../limits/index.ts';
import { RowCollector, type FragmentStore } from '../fragments/index.ts';
import { partsOf, type CrowdedTrace, type IsWanted, type Layout } from './layout.ts';

export interface LargeTraceLimits {
  /** Maximum number of spans that are read of a large trace. */
  maxSpans?: number;
  /** Maximum number of records of a large trace held at a time. */
  maxRecords?: number;
}

/** Layouts of traces that are too large to be held as a whole. */
export interface LargeTraces {
  /** Finds the layout of a trace, one trace at a time in this process. */
  layoutOf(projectId: string, traceId: string, isWanted: IsWanted): Promise<Layout>;
  /** Whether the trace that was read last holds several conversations. */
  hasSeveral(projectId: string, traceId: string): boolean;
}

interface ReadTrace {
  key: string;
  finder: ConversationFinder;
  /** True if not all of its spans were read. */
  isCut: boolean;
}

const MAX_SPANS = 500_000;
const MAX_RECORDS = 50_000;

const alone = createGate(1);

/**
 * Reads large traces twice: first the facts that assign spans to conversations, which are small beside the content and
 * are remembered for the last trace; then the wanted records.
 */
export function createLargeTraces(
  store: Pick<FragmentStore, 'walkHeads'>,
  {
    maxSpans = MAX_SPANS,
    maxRecords = MAX_RECORDS,
    note,
  }: LargeTraceLimits & {
    /** Receives the number of fragments of each trace. */
    note(trace: CrowdedTrace, fragmentCount: number): void;
  },
): LargeTraces {
  let last: ReadTrace | undefined;

  async function readTrace(projectId: string, traceId: string): Promise<ReadTrace> {
    const key = `${projectId}:${traceId}`;
    if (last?.key === key) return last;
    const finder = new ConversationFinder(traceId);
    let fragmentCount = 0;
    let isCut = false;
    for await (const { facts } of store.walkHeads(projectId, traceId)) {
      isCut = finder.size + facts.spans.length > maxSpans;
      if (isCut) break;
      fragmentCount += 1;
      for (const fact of facts.spans) finder.add(fact);
    }
    note({ projectId, traceId }, fragmentCount);
    last = { key, finder, isCut };
    return last;
  }

  async function layoutOf(projectId: string, traceId: string, isWanted: IsWanted): Promise<Layout> {
    const { finder, isCut } = await readTrace(projectId, traceId);
    const rows = new RowCollector();
    let hasMore = false;
    for await (const head of store.walkHeads(projectId, traceId)) {
      const isSeen = ({ spanId }: { spanId: string }) => !isCut || finder.has(spanId);
      rows.add(head, (fact) => isSeen(fact) && isWanted(finder.of(fact.spanId), head));
      hasMore = rows.count > maxRecords;
      if (hasMore) break;
    }
    return { traceId, parts: partsOf(rows.rows(), finder, isCut || hasMore), hasMore };
  }

  return {
    layoutOf: (projectId, traceId, isWanted) => alone(1, () => layoutOf(projectId, traceId, isWanted)),
    hasSeveral: (projectId, traceId) => last?.key === `${projectId}:${traceId}` && last.finder.hasSeveral,
  };
}
