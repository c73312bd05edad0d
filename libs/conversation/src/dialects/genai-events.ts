import type { LogRecord, SpanEvent } from '@clew/contracts';
import { decodeMessage, decodeMessages } from './chat-message.ts';
import { readGenAi } from './genai.ts';
import type { MessageRole, ReadMessage, ReadScore, SpanContent } from './span-reading.ts';
import {
  canonicalText,
  count,
  identifier,
  isRecord,
  parseJson,
  structured,
  wellFormed,
  type JsonRecord,
} from './values.ts';

/** GenAI event, from an event of the span or from a log record. */
export interface GenAiEvent {
  name: string;
  timeUnixNano: string;
  attributes: JsonRecord;
  /** Fields of the event: the body of a log record, the attributes of a span event. */
  body: JsonRecord;
}

const DETAILS = 'gen_ai.client.inference.operation.details';
const EVALUATION = 'gen_ai.evaluation.result';
const INPUT_ROLES: ReadonlyMap<string, MessageRole> = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
]);

/**
 * Collects the GenAI events of a span in the order of their creation. Events on the span are already in order; log
 * records are sorted by time, because they arrive in any order and repeatedly.
 */
export function genAiEvents(spanEvents: readonly SpanEvent[], logs: readonly LogRecord[]): GenAiEvent[] {
  const onSpan = spanEvents.filter((event) => event.name.startsWith('gen_ai.')).map(fromSpanEvent);
  const asLogs = distinctInTime(logs).map(fromLog);
  return [...onSpan, ...asLogs.filter((event) => event.name.startsWith('gen_ai.'))];
}

/** Roles in the order in which a chat begins, for events that nothing else orders. */
const FIRST_EVENTS = [...INPUT_ROLES.keys()];

/** Removes repeated records. Only records with equal times can be repeats, so only these are compared in full. */
function distinctInTime(logs: readonly LogRecord[]): LogRecord[] {
  const byTime = Map.groupBy(logs, (log) => log.timeUnixNano);
  const times = [...byTime.keys()].sort((left, right) => left.length - right.length || compare(left, right));
  return times.flatMap((time) => {
    const together = byTime.get(time) ?? [];
    if (together.length === 1) return together;
    const keyed = new Map(together.map((log) => [canonicalText([eventName(log), log.body, log.attributes]), log]));
    const rankOf = (log: LogRecord): number => FIRST_EVENTS.indexOf(eventName(log));
    return [...keyed]
      .sort(([left, leftLog], [right, rightLog]) => rankOf(leftLog) - rankOf(rightLog) || compare(left, right))
      .map(([, log]) => log);
  });
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Name of an event; instrumentations older than named log records store it among the attributes. */
function eventName(log: LogRecord): string {
  const named = log.eventName === '' ? log.attributes['event.name'] : log.eventName;
  return typeof named === 'string' ? named : '';
}

function fromLog(log: LogRecord): GenAiEvent {
  const body = structured(log.body);
  return {
    name: eventName(log),
    timeUnixNano: log.timeUnixNano,
    attributes: log.attributes,
    body: isRecord(body) ? body : typeof log.body === 'string' ? { content: log.body } : {},
  };
}

function fromSpanEvent(event: SpanEvent): GenAiEvent {
  // The Azure SDKs put the whole body into one attribute as JSON text.
  const whole = structured(event.attributes['gen_ai.event.content']);
  const body = isRecord(whole) ? whole : unpacked(event.attributes);
  return { name: event.name, timeUnixNano: event.timeUnixNano, attributes: event.attributes, body };
}

/** Parses structured fields of a span event, which may be JSON text because its attributes cannot nest everywhere. */
function unpacked(attributes: JsonRecord): JsonRecord {
  const fields: Record<string, unknown> = { ...attributes };
  for (const key of ['message', 'tool_calls'])
    if (Object.hasOwn(fields, key)) fields[key] = structured(fields[key]) ?? fields[key];
  if (typeof fields.content === 'string' && fields.content.startsWith('['))
    fields.content = contentParts(fields.content);
  return fields;
}

function contentParts(text: string): unknown {
  const parsed = parseJson(text);
  const isParts =
    Array.isArray(parsed) &&
    parsed.length > 0 &&
    parsed.every((part) => isRecord(part) && PART_KEYS.some((key) => Object.hasOwn(part, key)));
  return isParts ? parsed : text;
}

const PART_KEYS = ['text', 'toolUse', 'toolResult', 'image', 'reasoningContent'];

/** Reads the content of one span from its events. */
export function readGenAiEvents(events: readonly GenAiEvent[]): SpanContent {
  const details = events.findLast((event) => event.name === DETAILS);
  const fromDetails = details === undefined ? {} : readGenAi({ ...details.body, ...details.attributes });
  if (fromDetails.input !== undefined || fromDetails.output !== undefined) return fromDetails;
  const input: ReadMessage[] = [];
  const output: ReadMessage[] = [];
  for (const { name, body, attributes } of events) {
    const role = INPUT_ROLES.get(name);
    if (role !== undefined) input.push(...decodeMessage(role === 'tool' ? body : withoutId(body), role));
    else if (name === 'gen_ai.choice') output.push(...choiceMessages(body));
    else if (name === 'gen_ai.content.prompt')
      input.push(...oldestContent({ ...body, ...attributes }, 'gen_ai.prompt', 'user'));
    else if (name === 'gen_ai.content.completion')
      output.push(...oldestContent({ ...body, ...attributes }, 'gen_ai.completion', 'assistant'));
  }
  return { ...(input.length > 0 ? { input } : {}), ...(output.length > 0 ? { output } : {}) };
}

function withoutId(body: JsonRecord): JsonRecord {
  return { ...body, id: undefined };
}

function choiceMessages(body: JsonRecord): ReadMessage[] {
  const message = structured(body.message) ?? body.message;
  const fields = isRecord(message) ? message : message === undefined ? body : { content: message };
  const calls = isRecord(message) ? (message.tool_calls ?? body.tool_calls) : body.tool_calls;
  return decodeMessage(
    { ...fields, role: fields.role, tool_calls: calls, finish_reason: body.finish_reason },
    'assistant',
  );
}

function oldestContent(fields: JsonRecord, key: string, role: MessageRole): ReadMessage[] {
  const value = fields[key];
  if (value === undefined) return [];
  const parsed = structured(value);
  return decodeMessages(Array.isArray(parsed) || isRecord(parsed) ? parsed : value, role);
}

/** Reads the evaluation events among the events of a span. */
export function readScores(events: readonly GenAiEvent[]): ReadScore[] {
  return events.flatMap(({ name, attributes, body, timeUnixNano }) => {
    if (name !== EVALUATION) return [];
    const fields = { ...body, ...attributes };
    const scoreName = identifier(fields['gen_ai.evaluation.name']);
    const label = identifier(fields['gen_ai.evaluation.score.label']);
    const number = fields['gen_ai.evaluation.score.value'];
    const value = typeof number === 'number' && Number.isFinite(number) ? number : (count(number) ?? label);
    if (scoreName === undefined || value === undefined) return [];
    const comment = fields['gen_ai.evaluation.explanation'];
    return [
      {
        name: scoreName,
        value,
        ...(label === undefined ? {} : { label }),
        ...(typeof comment === 'string' && comment !== '' ? { comment: wellFormed(comment) } : {}),
        timeUnixNano,
      },
    ];
  });
}
