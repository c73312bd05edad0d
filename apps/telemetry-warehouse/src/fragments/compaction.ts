import type { Database } from '@clew/persistence';
import type { FragmentContent, LogFact, SpanFact } from './fragment.ts';
import {
  contentCollection,
  fragmentCollection,
  packedFragment,
  type FragmentStore,
  type PackedFragment,
} from './fragments.store.ts';
import { fragmentOf } from './message-fragments.ts';
import { recordGroup, storedText, type RecordGroup, type RecordText } from './record-texts.ts';
import { rowsOf, type Held, type RecordRows } from './records.ts';

/** Merges the fragments of a trace that arrived in many small messages. */
export interface Compaction {
  /**
   * Merges fragments; returns by how many their number has fallen: 0 if there are few, or if another process did the
   * same.
   */
  compact(projectId: string, traceId: string): Promise<number>;
}

/** Number of fragments beyond which a trace is worth compacting. */
export const MAX_SMALL_FRAGMENTS = 6;
const MAX_FRAGMENTS_AT_A_TIME = 500;
/** Maximum characters of content and facts in one merged fragment. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

interface SizedFragment {
  _id: string;
  receivedAt: Date;
  /** Characters of content and facts. */
  size: number;
}

const NO_GROUP = recordGroup({ scopeName: '', resource: {} });

/** Error: another process has merged or removed some of the fragments. */
class OvertakenError extends Error {}

export function createCompaction(
  database: Database,
  fragments: Pick<FragmentStore, 'headsById' | 'contentsOf'>,
): Compaction {
  const [heads, contents] = [fragmentCollection(database), contentCollection(database)];

  /**
   * Replaces fragments by the merged one in one transaction, so that readers see either the old ones or the new one.
   */
  async function replace(old: readonly string[], { document, content }: Required<PackedFragment>): Promise<void> {
    const gone = old.filter((id) => id !== document._id);
    await database.withTransaction(async (tx) => {
      if (gone.length === old.length) {
        await heads.replaceOne({ _id: document._id }, document, { upsert: true, session: tx });
        await contents.replaceOne({ _id: content._id }, content, { upsert: true, session: tx });
      }
      const { deletedCount } = await heads.deleteMany({ _id: { $in: gone } }, { session: tx });
      if (deletedCount < gone.length) throw new OvertakenError();
      await contents.deleteMany({ _id: { $in: gone } }, { session: tx });
    });
  }

  /** Finds small fragments of a trace, without their content: a trace may have any number of large ones. */
  async function smallOnes(projectId: string, traceId: string): Promise<SizedFragment[]> {
    return await heads
      .find<SizedFragment>(
        { projectId, traceId, length: { $lt: MAX_CHARACTERS / 2 } },
        {
          projection: { receivedAt: 1, size: { $add: ['$length', { $strLenBytes: '$facts' }] } },
          limit: MAX_FRAGMENTS_AT_A_TIME,
        },
      )
      .toArray();
  }

  return {
    async compact(projectId, traceId) {
      const ids = receivedTogether(await smallOnes(projectId, traceId)).map(({ _id }) => _id);
      if (ids.length <= MAX_SMALL_FRAGMENTS) return 0;
      const [chosen, said] = await Promise.all([fragments.headsById(ids), fragments.contentsOf(ids)]);
      // Expired fragments have no content to merge.
      const whole = chosen.filter(({ _id }) => said.has(_id));
      if (whole.length <= MAX_SMALL_FRAGMENTS) return 0;
      const latest = whole.reduce((time, { receivedAt }) => Math.max(time, receivedAt.getTime()), 0);
      const rows = rowsOf(whole);
      const joined = fragmentOf({ projectId, traceId, receivedAt: new Date(latest) }, textsOf(rows, said));
      const callKeys = [...new Set(whole.flatMap((head) => head.callKeys ?? []))];
      if (callKeys.length > 0) joined.document.callKeys = callKeys;
      if (whole.some(({ placed }) => placed === true)) {
        joined.document.placed = true;
        joined.document.places = rows.spans.map(({ spanId }) => spanId);
      }
      try {
        await replace(
          whole.map(({ _id }) => _id),
          await packedFragment(joined),
        );
        return whole.length - 1;
      } catch (error) {
        if (error instanceof OvertakenError) return 0;
        throw error;
      }
    },
  };
}

/**
 * Chooses as many of the smallest fragments of one day as fit in one merged fragment: they expire together, so no
 * record is kept longer, or lost earlier, than it would have been.
 */
function receivedTogether(heads: readonly SizedFragment[]): SizedFragment[] {
  const byDay = Map.groupBy(heads, ({ receivedAt }) => receivedAt.toISOString().slice(0, 10));
  const [most = []] = [...byDay.values()].sort((left, right) => right.length - left.length);
  let room = MAX_CHARACTERS;
  return most
    .toSorted((left, right) => left.size - right.size)
    .filter(({ size }) => {
      room -= size;
      return room >= 0;
    });
}

/**
 * Rebuilds records in the form that their messages had. If a fragment is mapped to undefined, its content has expired,
 * and its records are built without it.
 */
export function textsOf(rows: RecordRows, contents: ReadonlyMap<string, FragmentContent | undefined>) {
  const groups = new Map<string, RecordGroup>();
  const groupOf = ({ groups: all }: FragmentContent, index: number): RecordGroup => {
    const group = recordGroup(all[index] ?? { scopeName: '', resource: {} });
    const known = groups.get(group.text) ?? group;
    groups.set(group.text, known);
    return known;
  };
  const textOf = <Fact>(row: Fact & Held, records: 'spans' | 'logs'): RecordText<Omit<Fact, keyof Held>> => {
    const { traceId: _trace, fragmentId, fragmentLength: _length, position, ...fact } = row;
    const content = contents.get(fragmentId);
    if (content === undefined && contents.has(fragmentId)) {
      return storedText(NO_GROUP, fact, {}, (row as { start?: string }).start ?? '0');
    }
    const record = content?.[records][position];
    if (content === undefined || record === undefined) throw new Error(`The fragment ${fragmentId} lacks a record`);
    const { group, ...said } = record;
    const at = 'timeUnixNano' in said ? said.timeUnixNano : (row as { start?: string }).start;
    return storedText(groupOf(content, group), fact, said, at ?? '0');
  };
  return {
    spans: rows.spans.sort(bySpan).map((row) => textOf<SpanFact>(row, 'spans')),
    logs: rows.logs.sort(bySpan).map((row) => textOf<LogFact>(row, 'logs')),
  };
}

function bySpan(left: { spanId: string; digest: string }, right: { spanId: string; digest: string }): number {
  const [a, b] = [`${left.spanId}:${left.digest}`, `${right.spanId}:${right.digest}`];
  return a < b ? -1 : a > b ? 1 : 0;
}
