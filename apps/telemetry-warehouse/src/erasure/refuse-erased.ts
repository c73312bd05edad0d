import type { EnvelopeOf, LogRecord, SpanRecord, spansReceived } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import type { Tombstones } from '@clew/persistence';
import { createGate } from '../limits/index.ts';
import { messageFragments, type FragmentFacts, type FragmentStore, type MessageFragments } from '../fragments/index.ts';
import { spansOf, type EraseRecords } from './erase-records.ts';
import { erasedTest, type PlacedSpan } from './erased-test.ts';

type SpansReceivedData = EnvelopeOf<typeof spansReceived>['data'];

export interface RefuseErasedDependencies {
  tombstones: Pick<Tombstones, 'among' | 'hasProject'>;
  eraseRecords: Pick<EraseRecords, 'placesOf' | 'remember'>;
  fragments: Pick<FragmentStore, 'walkHeads' | 'remove'>;
}

/** Builds the fragments of a message without erased records. */
export type FragmentsOfMessage = (projectId: string, data: SpansReceivedData) => Promise<MessageFragments>;

export interface RefuseErased {
  fragmentsOf: FragmentsOfMessage;
  /** Message without erased records; the same object if it has none. */
  withoutErased(projectId: string, data: SpansReceivedData): Promise<SpansReceivedData>;
}

/**
 * Only one trace at a time is searched in this process: it may be large, and very many messages may bring more of it.
 */
const alone = createGate(1);

/**
 * Leaves out records of erased conversations. A message that names none of them, nor their traces, costs one look-up of
 * tombstones.
 */
export function createRefuseErased({ tombstones, eraseRecords, fragments }: RefuseErasedDependencies): RefuseErased {
  /** Yields the stored spans of a trace, then the arriving ones. */
  async function* spansOfBoth(projectId: string, traceId: string, coming: readonly PlacedSpan[]) {
    yield* spansOf(fragments.walkHeads(projectId, traceId));
    yield coming;
  }

  /** Finds the records of a message that belong to erased conversations, and stores their places. */
  async function refusedOf(
    projectId: string,
    data: SpansReceivedData,
    { found, names }: { found: MessageFragments; names: ReadonlySet<string> },
  ): Promise<Set<SpanRecord | LogRecord>> {
    const refused = new Set<SpanRecord | LogRecord>();
    for (const { traceId } of found.activity) {
      const coming = factsOf(found, traceId);
      const spans = spansOfBoth(projectId, traceId, coming);
      await alone(1, async () => {
        const test = await erasedTest({ traceId, spans, names, erased: eraseRecords.placesOf(projectId, traceId) });
        const gone = new Map(coming.filter((fact) => test.isErasedSpan(fact)).map((fact) => [fact.spanId, fact]));
        for (const { spans: sent, logs } of data.groups) {
          for (const log of logs) if (log.traceId === traceId && test.isErasedLog(log)) refused.add(log);
          for (const span of sent) if (span.traceId === traceId && gone.has(span.spanId)) refused.add(span);
        }
        await eraseRecords.remember(projectId, traceId, [...gone.values()]);
      });
    }
    return refused;
  }

  async function leftOf(
    projectId: string,
    data: SpansReceivedData,
    found: MessageFragments,
  ): Promise<SpansReceivedData> {
    const traceIds = found.activity.map(({ traceId }) => traceId);
    const named = found.fragments.flatMap(({ document }) => document.names);
    const asked = [...new Set([...named, ...traceIds, ...traceIds.map(traceTombstone)])];
    const names = await tombstones.among(projectId, asked);
    if (names.size === 0) return data;
    // For a deleted project nothing is kept, not even the places of records.
    if (names.size === asked.length && (await tombstones.hasProject(projectId))) return { ...data, groups: [] };
    const refused = await refusedOf(projectId, data, { found, names });
    return refused.size === 0 ? data : withoutRefused(data, refused);
  }

  const fragmentsOf: FragmentsOfMessage = async (projectId, data) => {
    const found = messageFragments(projectId, data);
    const leftData = await leftOf(projectId, data, found);
    if (leftData === data) return found;
    const left = messageFragments(projectId, leftData);
    const kept = new Set(left.fragments.map(({ document }) => document._id));
    // Another delivery of the same message, begun before the erasure, may have stored the fragments whole.
    await fragments.remove(found.fragments.map(({ document }) => document._id).filter((id) => !kept.has(id)));
    return left;
  };
  return {
    fragmentsOf,
    withoutErased: (projectId, data) => leftOf(projectId, data, messageFragments(projectId, data)),
  };
}

/** Name under which the tombstone of a trace that has lost records is stored. */
export function traceTombstone(traceId: string): string {
  return `trace ${traceId}`;
}

function factsOf({ fragments }: MessageFragments, traceId: string): PlacedSpan[] {
  const ofTrace = fragments.filter(({ document }) => document.traceId === traceId);
  return ofTrace.flatMap(({ document }) => (readJson(document.facts) as FragmentFacts).spans);
}

function withoutRefused(data: SpansReceivedData, refused: ReadonlySet<SpanRecord | LogRecord>): SpansReceivedData {
  const groups = data.groups.map((group) => ({
    ...group,
    spans: group.spans.filter((span) => !refused.has(span)),
    logs: group.logs.filter((log) => !refused.has(log)),
  }));
  return { ...data, groups };
}
