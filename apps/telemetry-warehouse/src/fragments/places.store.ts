import { readJson } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import type { FragmentFacts, TraceFragment } from './fragment.ts';
import { fragmentCollection } from './fragments.store.ts';
import type { SpanPlace } from './message-fragments.ts';

/** What is stored of a trace, as far as it says which conversations the trace is about. */
export interface NamesOfTrace {
  names: string[];
  /** So much is stored of it that not all of it was looked at. */
  isWide: boolean;
  /** Something is stored of it beside the fragments that were told of. */
  hasOthers: boolean;
}

/** Which conversations traces name, and where their spans stand. */
export interface PlaceStore {
  /** What each trace names, as all writers have stored it. `ids` are the fragments that the caller has stored. */
  namesOf(projectId: string, traceIds: readonly string[], ids: ReadonlySet<string>): Promise<Map<string, NamesOfTrace>>;
  /** Makes the spans of a wide trace known by their ids. */
  placeAll(projectId: string, traceId: string): Promise<void>;
  /** The conversations that the first fragments of a wide trace name first. */
  firstNamesOf(projectId: string, traceId: string): Promise<string[]>;
  /** Where spans of a wide trace stand; those that are not there are left out. */
  placesOf(projectId: string, traceId: string, spanIds: readonly string[]): Promise<SpanPlace[]>;
}

/** A trace that names more conversations than this names very many; which ones beyond that makes no difference. */
export const MAX_NAMED_OF_TRACE = 32;
/** Nearly all traces have one or two fragments, so that one query answers for all of them. */
const MAX_FRAGMENTS_OF_ONE_QUERY = 2_000;
const MAX_FRAGMENTS_OF_TRACE = 64;
const PLACED_AT_A_TIME = 200;
/** Of several fragments that came at once, each may be the first now. */
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
