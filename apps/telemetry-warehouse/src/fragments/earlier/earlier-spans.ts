import { readJson } from '@clew/kernel';
import type { mongo } from 'mongoose';
import type { LogRecord, SpanRecord, TelemetryGroup } from '@clew/contracts';
import { nativeDb, type Database } from '@clew/persistence';

/** A span without its content, as it was stored before there were fragments. */
export interface EarlierSpan {
  /** `<project>:<trace>:<span>` */
  _id: string;
  projectId: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  statusCode: number;
  statusMessage?: string;
  scopeName: string;
  conversationId?: string;
  receivedAt: Date;
}

/** The content of such a span, or a log record that belongs to it. */
export interface EarlierPayload {
  /** `<project>:<trace>:<span>`, with `:<digest>` behind it for a log record. */
  _id: string;
  projectId: string;
  kind: 'span' | 'log';
  /** JSON: `{attributes, events, resource}` of a span, or a whole log record. */
  body: string;
  receivedAt: Date;
}

/** That a span of a trace names a conversation. */
export interface EarlierLink {
  _id: string;
  projectId: string;
  traceId: string;
  conversationId: string;
}

export interface EarlierCollections {
  spans: mongo.Collection<EarlierSpan>;
  payloads: mongo.Collection<EarlierPayload>;
  links: mongo.Collection<EarlierLink>;
}

export function earlierCollections({ connection }: Database): EarlierCollections {
  const db = nativeDb(connection);
  return {
    spans: db.collection('spans'),
    payloads: db.collection('raw_payloads'),
    links: db.collection('conversation_traces'),
  };
}

/** Every `_id` of a trace lies between these: `;` is the character after `:`. */
export function rangeOfTrace(projectId: string, traceId: string) {
  return { $gt: `${projectId}:${traceId}:`, $lt: `${projectId}:${traceId};` };
}

/** Records that may go into fragments together. */
export interface EarlierRecords {
  projectId: string;
  receivedAt: number;
  groups: TelemetryGroup[];
  /** Their contents have expired: the fragments are to have none. */
  isExpired: boolean;
}

type SpanBody = Pick<SpanRecord, 'attributes' | 'events'> & { resource: Record<string, unknown> };
type LogBody = LogRecord & { scopeName: string; resource: Record<string, unknown> };

/** What stored documents say, by project, and by whether the contents are there. */
export function recordsOf(spans: readonly EarlierSpan[], payloads: readonly EarlierPayload[]): EarlierRecords[] {
  const bodies = new Map(payloads.filter(({ kind }) => kind === 'span').map(({ _id, body }) => [_id, body]));
  const records = new Map<string, EarlierRecords>();
  const add = (projectId: string, receivedAt: Date, isExpired: boolean, group: TelemetryGroup): void => {
    const key = `${projectId}:${String(isExpired)}`;
    const known = records.get(key) ?? { projectId, receivedAt: 0, groups: [], isExpired };
    known.receivedAt = Math.max(known.receivedAt, receivedAt.getTime());
    known.groups.push(group);
    records.set(key, known);
  };
  for (const span of spans) {
    const body = bodies.get(span._id);
    const { resource, ...said } = body === undefined ? contentOfExpired(span) : (readJson(body) as SpanBody);
    const group = { resource, scopeName: span.scopeName, spans: [spanRecord(span, said)], logs: [] };
    add(span.projectId, span.receivedAt, body === undefined, group);
  }
  for (const { projectId, kind, body, receivedAt } of payloads) {
    if (kind !== 'log') continue;
    const { resource, scopeName, ...log } = readJson(body) as LogBody;
    add(projectId, receivedAt, false, { resource, scopeName, spans: [], logs: [log] });
  }
  return [...records.values()].map((each) => ({ ...each, groups: joined(each.groups) }));
}

/** What has lost its content still names its conversation. */
function contentOfExpired({ conversationId }: EarlierSpan): SpanBody {
  const attributes = conversationId === undefined ? {} : { 'gen_ai.conversation.id': conversationId };
  return { attributes, events: [], resource: {} };
}

function spanRecord(span: EarlierSpan, { attributes, events }: Pick<SpanBody, 'attributes' | 'events'>): SpanRecord {
  const { traceId, spanId, parentSpanId, name, kind, startTimeUnixNano, endTimeUnixNano } = span;
  const { statusCode, statusMessage } = span;
  return {
    ...{ traceId, spanId, name, kind, startTimeUnixNano, endTimeUnixNano, statusCode, attributes, events },
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    ...(statusMessage === undefined ? {} : { statusMessage }),
  };
}

/** Groups with the same resource and scope as one. */
function joined(groups: readonly TelemetryGroup[]): TelemetryGroup[] {
  const byOrigin = Map.groupBy(groups, ({ resource, scopeName }) => JSON.stringify([scopeName, resource]));
  return [...byOrigin.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [
          {
            ...{ resource: first.resource, scopeName: first.scopeName },
            spans: [first, ...others].flatMap(({ spans }) => spans),
            logs: [first, ...others].flatMap(({ logs }) => logs),
          },
        ],
  );
}
