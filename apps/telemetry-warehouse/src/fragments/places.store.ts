import { readJson } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import type { FragmentFacts, TraceFragment } from './fragment.ts';
import { fragmentCollection } from './fragments.store.ts';
import type { SpanPlace } from './message-fragments.ts';

/** Conversations that a trace names, as far as is stored. */
export interface NamesOfTrace {
  names: string[];
  /** True if so much is stored of the trace that not all of it was read. */
  isWide: boolean;
  /** True if fragments are stored other than those that the caller listed. */
  hasOthers: boolean;
}

/** Finds the conversations that traces name, and the places of their spans. */
export interface PlaceStore {
  /** Returns the names in each trace, as stored by all writers. `ids` are the fragments that the caller has stored. */
  namesOf(projectId: string, traceIds: readonly string[], ids: ReadonlySet<string>): Promise<Map<string, NamesOfTrace>>;
  /** Indexes the spans of a wide trace by their ids. */
  placeAll(projectId: string, traceId: string): Promise<void>;
  /** Returns the conversation named first in each of the first fragments of a wide trace. */
  firstNamesOf(projectId: string, traceId: string): Promise<string[]>;
  /** Returns the places of spans of a wide trace; missing spans are left out. */
  placesOf(projectId: string, traceId: string, spanIds: readonly string[]): Promise<SpanPlace[]>;
}

/** Number of conversations beyond which a trace names very many; the exact number makes no difference. */
export const MAX_NAMED_OF_TRACE = 32;
/** Limit of the one query that serves all traces; nearly all have one or two fragments. */
const MAX_FRAGMENTS_OF_ONE_QUERY = 2_000;
const MAX_FRAGMENTS_OF_TRACE = 64;
const PLACED_AT_A_TIME = 200;
/** Number of first fragments read: if several arrived at once, each of them may now be the first. */
const FIRST_FRAGMENTS = 10;

type Named = Pick<TraceFragment, '_id' | 'traceId' | 'names'>;

export function createPlaceStore(database: Database): PlaceStore {
  const fragments = fragmentCollection(database);

  async function read(projectId: string, traceIds: readonly string[], limit: number): Promise<Named[]> {
    return await fragments
      .find<Named>(
        { projectId, traceId: { $in: [...traceIds] } },
        { projection: { traceId: 1, names: { $slice: MAX_NAMED_OF_TRACE + 1 } }, limit },
      )
      .toArray();
  }

  return {
    async namesOf(projectId, traceIds, ids) {
      const found = await read(projectId, traceIds, MAX_FRAGMENTS_OF_ONE_QUERY);
      const isWhole = found.length < MAX_FRAGMENTS_OF_ONE_QUERY;
      const ofEach = async (traceId: string) => await read(projectId, [traceId], MAX_FRAGMENTS_OF_TRACE + 1);
      const all = isWhole ? found : (await Promise.all(traceIds.map(ofEach))).flat();
      return new Map(
        [...Map.groupBy(all, ({ traceId }) => traceId)].map(([traceId, ofTrace]) => {
          const names = [...new Set(ofTrace.flatMap((fragment) => fragment.names))];
          const hasOthers = ofTrace.some(({ _id }) => !ids.has(_id));
          return [traceId, { names, isWide: ofTrace.length > MAX_FRAGMENTS_OF_TRACE, hasOthers }];
        }),
      );
    },
    async placeAll(projectId, traceId) {
      for (;;) {
        const unplaced = await fragments
          .find<Pick<TraceFragment, '_id' | 'facts'>>(
            { projectId, traceId, placed: null as never },
            { projection: { facts: 1 }, limit: PLACED_AT_A_TIME },
          )
          .toArray();
        if (unplaced.length === 0) return;
        const writes = unplaced.map(({ _id, facts }) => {
          const places = (readJson(facts) as FragmentFacts).spans.map(({ spanId }) => spanId);
          return { updateOne: { filter: { _id }, update: { $set: { placed: true as const, places } } } };
        });
        await fragments.bulkWrite(writes, { ordered: false });
      }
    },
    async firstNamesOf(projectId, traceId) {
      const found = await fragments
        .find<Pick<TraceFragment, 'names'>>(
          { projectId, traceId, placed: true, namedAt: { $gt: '' } },
          { projection: { names: 1 }, sort: { namedAt: 1 }, limit: FIRST_FRAGMENTS },
        )
        .toArray();
      return [...new Set(found.flatMap(({ names }) => names.slice(0, 1)))];
    },
    async placesOf(projectId, traceId, spanIds) {
      const wanted = new Set(spanIds);
      const found: SpanPlace[] = [];
      for await (const { facts } of fragments.find<Pick<TraceFragment, 'facts'>>(
        { projectId, traceId, placed: true, places: { $in: [...spanIds] } },
        { projection: { _id: 0, facts: 1 } },
      )) {
        for (const fact of (readJson(facts) as FragmentFacts).spans) if (wanted.has(fact.spanId)) found.push(fact);
      }
      return found;
    },
  };
}
