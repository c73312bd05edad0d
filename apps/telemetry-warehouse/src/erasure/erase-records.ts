import type { Database } from '@clew/persistence';
import { sha256Hex } from '@clew/kernel';
import {
  callNumber,
  contentCollection,
  fragmentCollection,
  fragmentOf,
  heldRows,
  packedFragment,
  spanPlace,
  textsOf,
  type FragmentContent,
  type FragmentFacts,
  type FragmentHead,
  type FragmentStore,
  type SpanFact,
} from '../fragments/index.ts';
import { erasedTest, type ErasedTest, type PlacedSpan } from './erased-test.ts';
import { erasedRecordsCollection, type Counts, type ErasedRecordsDocument } from './erasure.model.ts';

export interface DoomedRecords {
  /** Conversations whose records are removed. */
  names: ReadonlySet<string>;
  /** Records of calls, by `callNumber`, that are removed whatever conversation they belong to. */
  calls?: ReadonlySet<number>;
}

/** Removes records from the fragments of traces. */
export interface EraseRecords {
  /** Removes the doomed records of one trace, and keeps their places. Safe to repeat and to interrupt. */
  ofTrace(projectId: string, traceId: string, doomed: DoomedRecords): Promise<Counts>;
  /** Yields the places of records erased from a trace before. */
  placesOf(projectId: string, traceId: string): AsyncIterable<ErasedRecordsDocument>;
  /** Stores the places of records that were refused. */
  remember(projectId: string, traceId: string, spans: readonly PlacedSpan[]): Promise<void>;
}

/** Facts of a fragment that stay, by their indexes in its lists. */
interface Left {
  spans: Set<number>;
  logs: Set<number>;
}

/** Error: the fragment is gone, or another process has rewritten it. */
class OvertakenError extends Error {}

const MAX_ATTEMPTS = 5;

export function createEraseRecords(
  database: Database,
  fragments: Pick<FragmentStore, 'walkHeads' | 'contentsOf'>,
): EraseRecords {
  const [heads, contents] = [fragmentCollection(database), contentCollection(database)];
  const erased = erasedRecordsCollection(database);

  const placesOf = (projectId: string, traceId: string) => erased.find({ projectId, traceId });

  /**
   * Replaces a fragment by one with the records that stay, and stores the places of the removed ones, in one
   * transaction.
   */
  async function rewrite(projectId: string, head: FragmentHead, left: Left): Promise<Counts> {
    const gone = head.facts.spans.filter((_span, index) => !left.spans.has(index));
    const content = (await fragments.contentsOf([head._id])).get(head._id);
    const kept = await keptOf(projectId, head, left, content);
    await database.withTransaction(async (tx) => {
      if (kept !== undefined) {
        const { document, content: said } = kept;
        await heads.replaceOne({ _id: document._id }, document, { upsert: true, session: tx });
        if (said !== undefined) await contents.replaceOne({ _id: said._id }, said, { upsert: true, session: tx });
      }
      const { deletedCount } = await heads.deleteOne({ _id: head._id, projectId }, { session: tx });
      if (deletedCount === 0) throw new OvertakenError();
      await contents.deleteOne({ _id: head._id, projectId }, { session: tx });
      const places = gone.map(placeAlone);
      if (places.length > 0) {
        const { traceId } = head;
        await erased.replaceOne({ _id: head._id }, { projectId, traceId, places }, { upsert: true, session: tx });
      }
    });
    return { spans: gone.length, logs: head.facts.logs.length - left.logs.size, fragments: kept === undefined ? 1 : 0 };
  }

  async function eraseOnce(projectId: string, traceId: string, doomed: DoomedRecords): Promise<Counts> {
    const test = await erasedTest({
      ...{ traceId, names: doomed.names, spans: spansOf(fragments.walkHeads(projectId, traceId)) },
      erased: placesOf(projectId, traceId),
    });
    const isCall = ({ spanId }: { spanId: string }) =>
      doomed.calls?.has(callNumber(spanPlace({ traceId, spanId }))) === true;
    let counts: Counts = {};
    for await (const head of fragments.walkHeads(projectId, traceId)) {
      const left = leftOf(head.facts, {
        isErasedSpan: (fact) => isCall(fact) || test.isErasedSpan(fact),
        isErasedLog: (fact) => isCall(fact) || test.isErasedLog(fact),
      });
      const isWhole = left.spans.size === head.facts.spans.length && left.logs.size === head.facts.logs.length;
      if (!isWhole) counts = sumOf(counts, await rewrite(projectId, head, left));
    }
    return counts;
  }

  return {
    placesOf,
    async ofTrace(projectId, traceId, doomed) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await eraseOnce(projectId, traceId, doomed);
        } catch (error) {
          if (!(error instanceof OvertakenError) || attempt === MAX_ATTEMPTS) throw error;
        }
      }
    },
    async remember(projectId, traceId, spans) {
      if (spans.length === 0) return;
      const places = spans.map(placeAlone);
      const _id = `${projectId}:${traceId}:${sha256Hex(places.map(({ spanId }) => spanId).join())}`;
      await erased.replaceOne({ _id }, { projectId, traceId, places }, { upsert: true });
    },
  };
}

/** Yields the spans of fragments, one list for each fragment. */
export async function* spansOf(heads: AsyncIterable<FragmentHead>): AsyncGenerator<SpanFact[], undefined> {
  for await (const { facts } of heads) yield facts.spans;
}

function leftOf({ spans, logs }: FragmentFacts, test: ErasedTest): Left {
  return {
    spans: new Set(spans.flatMap((fact, index) => (test.isErasedSpan(fact) ? [] : [index]))),
    logs: new Set(logs.flatMap((fact, index) => (test.isErasedLog(fact) ? [] : [index]))),
  };
}

/** Remaining records of a fragment, as a new fragment; undefined if none remain. */
async function keptOf(projectId: string, head: FragmentHead, left: Left, said: FragmentContent | undefined) {
  if (left.spans.size === 0 && left.logs.size === 0) return undefined;
  const rows = heldRows(head);
  const kept = {
    spans: rows.spans.filter((_row, index) => left.spans.has(index)),
    logs: rows.logs.filter((_row, index) => left.logs.has(index)),
  };
  const { traceId, receivedAt } = head;
  const rewritten = fragmentOf({ projectId, traceId, receivedAt }, textsOf(kept, new Map([[head._id, said]])));
  // Keys of removed calls stay among the others: they lead to nothing.
  if (head.callKeys !== undefined) rewritten.document.callKeys = head.callKeys;
  if (head.placed === true) {
    rewritten.document.placed = true;
    rewritten.document.places = kept.spans.map(({ spanId }) => spanId);
  }
  const { document, content } = await packedFragment(rewritten);
  // Expired content stays absent.
  return said === undefined ? { document } : { document, content };
}

/** Place of a span without the conversation's name, which may itself reveal something. */
function placeAlone({ spanId, parentSpanId, start }: PlacedSpan) {
  return { spanId, start, ...(parentSpanId === undefined ? {} : { parentSpanId }) };
}

export function sumOf(left: Counts, right: Counts): Counts {
  const sum = { ...left };
  for (const [kind, count] of Object.entries(right)) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}
