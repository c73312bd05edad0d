import type { EnvelopeOf, LogRecord, SpanRecord, TelemetryGroup } from '@clew/contracts';
import { spansReceived } from '@clew/contracts';

export const PROJECT_ID = `prj_${'1'.repeat(26)}`;
export const OTHER_PROJECT_ID = `prj_${'2'.repeat(26)}`;
/** Time at which the spans of tests begin. */
export const STARTED_AT = 1_700_000_000_000;

export type SpansMessage = EnvelopeOf<typeof spansReceived>;

export function traceId(index: number): string {
  return index.toString(16).padStart(32, '0');
}

export function spanId(index: number): string {
  return index.toString(16).padStart(16, '0');
}

/** Properties of a model call that matter to a test. */
export interface CallSpec {
  trace: number;
  span: number;
  parent?: number;
  conversation?: string;
  /** Milliseconds after STARTED_AT; by default the span's number in seconds. */
  atMs?: number;
  /** Words of the person, and of the model's answer. */
  said?: string;
  answered?: string;
  attributes?: Record<string, unknown>;
}

/** Model call in the GenAI conventions. */
export function chatSpan(call: CallSpec): SpanRecord {
  const { said, answered, conversation, attributes = {} } = call;
  return plainSpan({
    ...call,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      ...(conversation === undefined ? {} : { 'gen_ai.conversation.id': conversation }),
      ...(said === undefined ? {} : { 'gen_ai.input.messages': messages('user', said) }),
      ...(answered === undefined ? {} : { 'gen_ai.output.messages': messages('assistant', answered) }),
      ...attributes,
    },
  });
}

function messages(role: string, content: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
}

/** Span of work other than a model, a tool or an agent. */
export function plainSpan({ trace, span, parent, atMs = span * 1_000, attributes = {} }: CallSpec): SpanRecord {
  return {
    traceId: traceId(trace),
    spanId: spanId(span),
    ...(parent === undefined ? {} : { parentSpanId: spanId(parent) }),
    name: 'work',
    kind: 1,
    startTimeUnixNano: nanos(atMs),
    endTimeUnixNano: nanos(atMs + 500),
    statusCode: 0,
    attributes,
    events: [],
  };
}

/** GenAI event in the form of a log record. */
export function userLog({ trace, span, atMs = span * 1_000, said = '' }: CallSpec): LogRecord {
  return {
    traceId: traceId(trace),
    spanId: spanId(span),
    eventName: 'gen_ai.user.message',
    timeUnixNano: nanos(atMs),
    attributes: { 'gen_ai.system': 'openai' },
    body: { content: said },
  };
}

function nanos(atMs: number): string {
  return `${STARTED_AT + atMs}000000`;
}

let messageCount = 0;

/** Queue message with the given records. */
export function spansMessage(
  records: { spans?: readonly SpanRecord[]; logs?: readonly LogRecord[] },
  projectId = PROJECT_ID,
): SpansMessage {
  const { spans = [], logs = [] } = records;
  const group: TelemetryGroup = { resource: {}, scopeName: 'test', spans: [...spans], logs: [...logs] };
  return groupsMessage([group], projectId);
}

export function groupsMessage(groups: TelemetryGroup[], projectId = PROJECT_ID): SpansMessage {
  messageCount += 1;
  return {
    id: `evt_${messageCount}`,
    type: spansReceived.type,
    version: spansReceived.version,
    occurredAt: STARTED_AT,
    projectId,
    requestId: null,
    data: { receivedAt: STARTED_AT, groups },
  };
}
