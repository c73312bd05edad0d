import { ConversationFinder } from '@clew/conversation';
import {
  MAX_SMALL_FRAGMENTS,
  rowsOf,
  type FragmentHead,
  type FragmentStore,
  type HeadLimits,
} from '../fragments/index.ts';
import { createLargeTraces, type LargeTraceLimits } from './large-traces.ts';
import { partsOf, type CrowdedTrace, type IsWanted, type Layout } from './layout.ts';

/** Assigns the records of traces to conversations. */
export interface TraceLayouts {
  /**
   * Yields layouts one by one in the order of the ids; a trace without stored records is left out. No more is read at a
   * time than can be held, however large the traces are.
   */
  walk(projectId: string, traceIds: readonly string[], isWanted: IsWanted): AsyncGenerator<Layout>;
  /** Whether a trace that was read holds several conversations. */
  hasSeveral(projectId: string, traceId: string): boolean;
  /** Returns the traces read that have many fragments; each is returned once. */
  takeCrowded(): CrowdedTrace[];
}

export interface TraceLayoutsOptions extends LargeTraceLimits {
  /** Limits of the traces that are read together. A trace beyond them is large. */
  limits?: HeadLimits;
}

const LIMITS: HeadLimits = { fragments: 5_000, characters: 8 * 1024 * 1024 };
/** Maximum number of records in remembered traces together. */
const MAX_REMEMBERED = 100_000;

/**
 * Layouts for conversations that are assembled together or one after the other. A trace of several conversations is
 * remembered, so that one with ten thousand is not read ten thousand times. Remembered traces were read after the
 * conversations were claimed, so they hold everything that the claims have seen. They must not serve conversations that
 * are claimed later.
 */
export function createTraceLayouts(
  store: Pick<FragmentStore, 'headsOf' | 'walkHeads'>,
  { limits = LIMITS, ...largeLimits }: TraceLayoutsOptions = {},
): TraceLayouts {
  const remembered = new Map<string, Layout['parts']>();
  let rememberedCount = 0;
  const large = createLargeTraces(store, { ...largeLimits, note });
  let crowded: CrowdedTrace[] = [];

  function remember(key: string, parts: Layout['parts'], count: number): void {
    if (parts.size < 2 || rememberedCount + count > MAX_REMEMBERED) return;
    rememberedCount += count;
    remembered.set(key, parts);
  }

  function note(trace: CrowdedTrace, fragmentCount: number): void {
    if (fragmentCount > MAX_SMALL_FRAGMENTS) crowded.push(trace);
  }

  function layoutOf(projectId: string, traceId: string, heads: readonly FragmentHead[]): Layout {
    note({ projectId, traceId }, heads.length);
    const finder = new ConversationFinder(traceId);
    const rows = rowsOf(heads);
    for (const span of rows.spans) finder.add(span);
    const parts = partsOf(rows, finder, false);
    remember(`${projectId}:${traceId}`, parts, rows.spans.length + rows.logs.length);
    return { traceId, parts, hasMore: false };
  }

  async function* walk(
    projectId: string,
    traceIds: readonly string[],
    isWanted: IsWanted,
  ): AsyncGenerator<Layout, undefined> {
    const knownOf = (traceId: string) => remembered.get(`${projectId}:${traceId}`);
    const unknown = traceIds.filter((traceId) => knownOf(traceId) === undefined);
    const heads = unknown.length === 0 ? [] : await store.headsOf(projectId, unknown, limits);
    if (heads === undefined && traceIds.length > 1) {
      const middle = Math.ceil(traceIds.length / 2);
      yield* walk(projectId, traceIds.slice(0, middle), isWanted);
      yield* walk(projectId, traceIds.slice(middle), isWanted);
      return;
    }
    const headsOfTrace = Map.groupBy(heads ?? [], ({ traceId }) => traceId);
    for (const traceId of traceIds) {
      const [parts, ofTrace] = [knownOf(traceId), headsOfTrace.get(traceId)];
      if (parts !== undefined) yield { traceId, parts, hasMore: false };
      else if (ofTrace !== undefined) yield layoutOf(projectId, traceId, ofTrace);
      else if (heads === undefined) yield await large.layoutOf(projectId, traceId, isWanted);
    }
  }

  return {
    walk,
    hasSeveral(projectId, traceId) {
      return remembered.has(`${projectId}:${traceId}`) || large.hasSeveral(projectId, traceId);
    },
    takeCrowded() {
      const taken = crowded;
      crowded = [];
      return taken;
    },
  };
}
