import type { mongo } from 'mongoose';
import type { Database } from '@clew/persistence';
import { packedFragment, type FragmentStore } from '../fragments.store.ts';
import { messageFragments } from '../message-fragments.ts';
import {
  earlierCollections,
  rangeOfTrace,
  recordsOf,
  type EarlierPayload,
  type EarlierRecords,
  type EarlierSpan,
} from './earlier-spans.ts';

/** Brings spans along that were stored before there were fragments, while the service runs. */
export interface SpanMover {
  /** Moves the next documents; returns how many they were, 0 where none is left. Safe to repeat, and to be killed. */
  movePage(): Promise<number>;
  /** Moves what is left of these traces, and of the traces of these conversations. */
  bringAlong(
    projectId: string,
    names: { traceIds?: readonly string[]; conversationIds?: readonly string[] },
  ): Promise<void>;
}

export interface SpanMoverOptions {
  pageSize?: number;
}

const PAGE_SIZE = 500;
/** During a rollout, processes of the earlier version may still write: far less than a conversation is waited for. */
const KNOWN_EMPTY_FOR_MS = 1_000;
/** A content without its span is on its way for less than this; after it, the span has expired. */
const MAX_ON_ITS_WAY_MS = 10 * 60_000;

interface Range {
  $gt: string;
  $lt?: string;
}

export function createSpanMover(
  database: Database,
  fragments: Pick<FragmentStore, 'write'>,
  { pageSize = PAGE_SIZE }: SpanMoverOptions = {},
): SpanMover {
  const { spans, payloads, links } = earlierCollections(database);
  let knownEmptyUntilMs = 0;

  /** Written as fragments first, and removed then: what is there twice in between is counted once. */
  async function move(found: readonly EarlierSpan[], contents: readonly EarlierPayload[]): Promise<void> {
    for (const records of recordsOf(found, contents)) await fragments.write(await fragmentsOf(records));
    await removeAll(spans, found);
    await removeAll(payloads, contents);
  }

  /** The next contents in a range of ids, with their spans; once there are none, the spans that have lost theirs. */
  async function moveRange(range: Range): Promise<{ moved: number; last?: string | undefined }> {
    const query = { _id: range as never };
    const contents = await payloads.find(query, { sort: { _id: 1 }, limit: pageSize }).toArray();
    if (contents.length === 0) {
      const found = await spans.find(query, { sort: { _id: 1 }, limit: pageSize }).toArray();
      await move(found, []);
      return { moved: found.length, last: found.at(-1)?._id };
    }
    const ids = contents.filter(({ kind }) => kind === 'span').map(({ _id }) => _id);
    const found = await spans.find({ _id: { $in: ids } }).toArray();
    const withSpan = new Set(found.map(({ _id }) => _id));
    const onItsWay = ({ _id, kind, receivedAt }: EarlierPayload) =>
      kind === 'span' && !withSpan.has(_id) && Date.now() - receivedAt.getTime() < MAX_ON_ITS_WAY_MS;
    const whole = contents.filter((content) => !onItsWay(content));
    await move(found, whole);
    return { moved: whole.length + found.length, last: contents.at(-1)?._id };
  }

  async function moveAll(range: Range): Promise<number> {
    let total = 0;
    for (let from: Range | undefined = range; from !== undefined;) {
      const { moved, last }: { moved: number; last?: string | undefined } = await moveRange(from);
      total += moved;
      from = last === undefined ? undefined : { ...range, $gt: last };
    }
    return total;
  }

  async function isEmpty(): Promise<boolean> {
    if (Date.now() < knownEmptyUntilMs) return true;
    const [span, content] = await Promise.all([
      spans.findOne({}, { projection: { _id: 1 } }),
      payloads.findOne({}, { projection: { _id: 1 } }),
    ]);
    if (span !== null || content !== null) return false;
    knownEmptyUntilMs = Date.now() + KNOWN_EMPTY_FOR_MS;
    return true;
  }

  return {
    async movePage() {
      for (let after = ''; ;) {
        const { moved, last } = await moveRange({ $gt: after });
        if (moved > 0 || last === undefined) return moved;
        after = last;
      }
    },
    async bringAlong(projectId, { traceIds = [], conversationIds = [] }) {
      if (await isEmpty()) return;
      const named = await links
        .find({ projectId, conversationId: { $in: [...conversationIds] } }, { projection: { traceId: 1 } })
        .toArray();
      const all = new Set([...traceIds, ...conversationIds, ...named.map(({ traceId }) => traceId)]);
      for (const traceId of all) {
        // Spans that have lost their contents are found once no content is left.
        while ((await moveAll(rangeOfTrace(projectId, traceId))) > 0);
      }
    },
  };
}

async function fragmentsOf({ projectId, receivedAt, groups, isExpired }: EarlierRecords) {
  const { fragments } = messageFragments(projectId, { receivedAt, groups });
  const found = [];
  for (const fragment of fragments) {
    const { document, content } = await packedFragment(fragment);
    found.push(isExpired ? { document } : { document, content });
  }
  return found;
}

async function removeAll<Document extends { _id: string }>(
  collection: mongo.Collection<Document>,
  documents: readonly { _id: string }[],
): Promise<void> {
  if (documents.length === 0) return;
  await collection.deleteMany({ _id: { $in: documents.map(({ _id }) => _id) } } as mongo.Filter<Document>);
}
