import type { LogRecord } from '@clew/contracts';
import type { StoredSpan } from '../dialects/index.ts';
import type { RecordStore } from '../spans/records.store.ts';
import { storedSpan, type SpanContent } from '../spans/span-documents.ts';
import { spanPlace, type Outline } from './outline.ts';

/** The records of one conversation. */
export interface ConversationRecords {
  spans: StoredSpan[];
  logs: LogRecord[];
  /** `spanPlace` of the spans whose content is gone: retention has removed it. */
  expired: Set<string>;
  /** Log records were longer than was assumed, and not all were read. */
  truncated: boolean;
}

export async function readContents(
  records: RecordStore,
  projectId: string,
  { rows, contents }: Outline,
  maxCharacters: number,
): Promise<ConversationRecords> {
  const contentOf = new Map<string, SpanContent>();
  const logs: LogRecord[] = [];
  let logCharacters = 0;
  for await (const { traceId, name, kind, body } of records.readContents(projectId, contents)) {
    if (kind === 'span') contentOf.set(spanPlace({ traceId, spanId: name }), JSON.parse(body) as SpanContent);
    else if (logCharacters + body.length <= maxCharacters) logs.push(JSON.parse(body) as LogRecord);
    if (kind === 'log') logCharacters += body.length;
  }
  const expired = new Set(rows.map(spanPlace).filter((place) => !contentOf.has(place)));
  const spans = rows.map((row) => storedSpan(row, contentOf.get(spanPlace(row))));
  return { spans, logs, expired, truncated: logCharacters > maxCharacters };
}
