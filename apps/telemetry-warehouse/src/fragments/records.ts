import type { LogRecord } from '@clew/contracts';
import type { StoredSpan } from '@clew/conversation';
import { inParts } from '@clew/kernel';
import { isBetterVersion, type FragmentContent, type LogFact, type SpanContent, type SpanFact } from './fragment.ts';
import type { FragmentHead, FragmentStore } from './fragments.store.ts';

/** Location of a record's content. */
export interface Held {
  traceId: string;
  fragmentId: string;
  /** Characters of content in the whole fragment. */
  fragmentLength: number;
  /** Index into the fragment's list. */
  position: number;
}

export type SpanRow = SpanFact & Held;
export type LogRow = LogFact & Held & { work?: undefined };

/** Records of one or more traces, each once. */
export interface RecordRows {
  spans: SpanRow[];
  logs: LogRow[];
}

/** Records with their content. */
export interface Records {
  spans: StoredSpan[];
  logs: LogRecord[];
  /** `spanPlace` of the spans whose content retention has removed. */
  expired: Set<string>;
}

/** Error: fragments were merged while they were read, and their records are now in fragments with other ids. */
export class FragmentsReplacedError extends Error {
  override readonly name = 'FragmentsReplacedError';
}

/** Maximum characters of content that are unpacked at a time. */
const MAX_CHARACTERS_AT_A_TIME = 8 * 1024 * 1024;

/** Name of a span that is unique within its project. */
export function spanPlace({ traceId, spanId }: { traceId: string; spanId: string }): string {
  return `${traceId}:${spanId}`;
}

/** All records of one fragment, including several versions of a span. */
export function heldRows({ _id: fragmentId, traceId, length: fragmentLength, facts }: FragmentHead): RecordRows {
  const held = { traceId, fragmentId, fragmentLength };
  return {
    spans: facts.spans.map((fact, position) => ({ ...fact, ...held, position })),
    logs: facts.logs.map((fact, position) => ({ ...fact, ...held, position })),
  };
}

/** Collects the records of fragments one by one: the best version of each span, and each log record once. */
export class RowCollector {
  readonly #spans = new Map<string, SpanRow>();
  readonly #logs = new Map<string, LogRow>();

  get count(): number {
    return this.#spans.size + this.#logs.size;
  }

  /** Adds the wanted records of a fragment, by default all. */
  add(
    { _id: fragmentId, traceId, length: fragmentLength, facts }: FragmentHead,
    isWanted: (fact: SpanFact | LogFact) => boolean = () => true,
  ): void {
    const held = { traceId, fragmentId, fragmentLength };
    facts.spans.forEach((fact, position) => {
      if (!isWanted(fact)) return;
      const place = spanPlace({ traceId, spanId: fact.spanId });
      const known = this.#spans.get(place);
      if (known === undefined || isBetterVersion(fact, known)) this.#spans.set(place, { ...fact, ...held, position });
    });
    facts.logs.forEach((fact, position) => {
      const place = `${traceId}:${fact.spanId}:${fact.digest}`;
      if (!this.#logs.has(place) && isWanted(fact)) this.#logs.set(place, { ...fact, ...held, position });
    });
  }

  rows(): RecordRows {
    return { spans: [...this.#spans.values()], logs: [...this.#logs.values()] };
  }
}

/** Records of fragments, each once. */
export function rowsOf(heads: readonly FragmentHead[]): RecordRows {
  const collector = new RowCollector();
  for (const head of heads) collector.add(head);
  return collector.rows();
}

/**
 * Reads the content of the records in several lists, and keeps each list's order; every fragment is read once. Throws
 * FragmentsReplacedError, after which the rows must be found again.
 */
export async function readRecords(
  store: Pick<FragmentStore, 'contentsOf' | 'existing'>,
  lists: readonly RecordRows[],
): Promise<Records[]> {
  const spanOf = new Map<SpanRow, StoredSpan>();
  const logOf = new Map<LogRow, LogRecord>();
  const rows = lists.flatMap(({ spans, logs }) => [...spans, ...logs]);
  const rowsOfFragment = Map.groupBy(rows, ({ fragmentId }) => fragmentId);
  const lengths = [...rowsOfFragment].map(([id, [row]]) => ({ id, length: row?.fragmentLength ?? 0 }));
  const missing: string[] = [];
  for (const part of inParts(lengths, ({ length }) => length, MAX_CHARACTERS_AT_A_TIME)) {
    const contents = await store.contentsOf(part.map(({ id }) => id));
    for (const { id } of part) {
      const content = contents.get(id);
      if (content === undefined) missing.push(id);
      for (const row of rowsOfFragment.get(id) ?? []) {
        if (row.work !== undefined) spanOf.set(row, storedSpan(row, content));
        else if (content !== undefined) logOf.set(row, storedLog(row, content));
      }
    }
  }
  if (missing.length > 0 && (await store.existing(missing)).size < missing.length) throw new FragmentsReplacedError();
  const isGone = new Set(missing);
  return lists.map(({ spans, logs }) => ({
    spans: spans.flatMap((row) => spanOf.get(row) ?? []),
    logs: logs.flatMap((row) => logOf.get(row) ?? []),
    expired: new Set(spans.filter(({ fragmentId }) => isGone.has(fragmentId)).map(spanPlace)),
  }));
}

/** Span with its content, which may have expired since. */
export function storedSpan(row: SpanRow, content: FragmentContent | undefined): StoredSpan {
  const { traceId, spanId, parentSpanId, name, kind, start, end, statusCode, position } = row;
  const own: SpanContent | undefined = content?.spans[position];
  const group = own === undefined ? undefined : content?.groups[own.group];
  return {
    ...{ traceId, spanId, name, kind, startTimeUnixNano: start, endTimeUnixNano: end, statusCode },
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    ...(own?.statusMessage === undefined ? {} : { statusMessage: own.statusMessage }),
    ...{ attributes: own?.attributes ?? {}, events: own?.events ?? [] },
    ...{ scopeName: group?.scopeName ?? '', resource: group?.resource ?? {} },
  };
}

function storedLog({ traceId, spanId, position }: LogRow, content: FragmentContent): LogRecord {
  const { group: _group, ...said } = content.logs[position] ?? { group: 0, eventName: '', timeUnixNano: '0' };
  return { traceId, spanId, attributes: {}, body: null, ...said };
}
