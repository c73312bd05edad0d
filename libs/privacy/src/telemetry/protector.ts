import { createHmac } from 'node:crypto';
import {
  DEFAULT_MASKING,
  type LogRecord,
  type PrivacySettings,
  type SpanRecord,
  type TelemetryGroup,
} from '@clew/contracts';
import { createMasker } from '../masking/masker.ts';
import { isIdentifier, structureOfAttributes, structureOfBody, structureOfName } from './structure.ts';
import { notCaptured } from './not-captured.ts';

/** Takes out of telemetry what a project does not want to be stored. */
export interface Protector {
  group(group: TelemetryGroup): TelemetryGroup;
  /** Returns an id that holds nothing to mask; ids that were different stay different. */
  id(id: string): string;
  /** Returns a text that belongs to no message, such as the comment of a score; undefined if it is not captured. */
  text(text: string): string | undefined;
}

/** Attributes that name a conversation or a person: different values must stay different. */
const IDS: ReadonlySet<string> = new Set(
  `gen_ai.conversation.id langfuse.session.id session.id ai.telemetry.metadata.sessionId user.id enduser.id
  langfuse.user.id ai.telemetry.metadata.userId gen_ai.user traceloop.association.properties.session_id
  traceloop.association.properties.conversation_id traceloop.association.properties.thread_id
  traceloop.association.properties.user_id clew.caller.id`.split(/\s+/),
);
const ID_DIGITS = 24;

type Attributes = Readonly<Record<string, unknown>>;

/** Creates the protector of a project from its settings. */
export function createProtector({ masking, contentCapture, salt }: PrivacySettings): Protector {
  const masker = createMasker(
    contentCapture === 'full'
      ? masking
      : { ...(masking.enabled ? masking : DEFAULT_MASKING), builtIn: DEFAULT_MASKING.builtIn },
  );
  const id = (given: string) => {
    if (masker.text(given) === given && (contentCapture === 'full' || isIdentifier(given))) return given;
    return `masked-${createHmac('sha256', salt).update(given).digest('hex').slice(0, ID_DIGITS)}`;
  };
  const withIds = (given: Attributes, protectedOnes: Record<string, unknown>) => {
    for (const [key, value] of Object.entries(given)) {
      if (typeof value === 'string' && IDS.has(key) && protectedOnes[key] !== value) protectedOnes[key] = id(value);
    }
    return protectedOnes;
  };
  if (contentCapture === 'structure') return structureOnly({ mask: masker.text, id, withIds });
  const masked = <Value>(value: Value) => masker.value(value) as Value;
  const attributes = (given: Attributes, protectedOnes: Record<string, unknown>) =>
    given === protectedOnes ? protectedOnes : withIds(given, { ...protectedOnes });
  return {
    id,
    text: (text) => masker.text(text),
    group: (group) => ({
      resource: attributes(group.resource, masked(group.resource)),
      scopeName: masker.text(group.scopeName),
      spans: group.spans.map((span) => {
        const { name, statusMessage, attributes: given, events } = span;
        const said = masked({
          name,
          statusMessage,
          given,
          events: events.map((event) => [event.name, event.attributes]),
        });
        return {
          ...span,
          name: said.name,
          ...(said.statusMessage === undefined ? {} : { statusMessage: said.statusMessage }),
          attributes: attributes(given, said.given),
          events: events.map((event, index) => {
            const [eventName, eventAttributes] = said.events[index] as [string, SpanRecord['attributes']];
            return { ...event, name: eventName, attributes: eventAttributes };
          }),
        };
      }),
      logs: group.logs.map((log) => {
        const { eventName, attributes: given, body } = log;
        const said = masked({ eventName, given, body });
        return { ...log, eventName: said.eventName, attributes: attributes(given, said.given), body: said.body };
      }),
    }),
  };
}

interface StructureTools {
  mask(text: string): string;
  id(id: string): string;
  withIds(given: Attributes, protectedOnes: Record<string, unknown>): Record<string, unknown>;
}

function structureOnly({ mask, id, withIds }: StructureTools): Protector {
  const attributes = (given: Attributes) => withIds(given, structureOfAttributes(given, mask));
  const span = (given: SpanRecord): SpanRecord => ({
    ...given,
    name: structureOfName(given.name, mask),
    ...(given.statusMessage === undefined ? {} : { statusMessage: notCaptured(given.statusMessage.length) }),
    attributes: attributes(given.attributes),
    events: given.events.map((event) => ({
      ...event,
      name: structureOfName(event.name, mask),
      attributes: attributes(event.attributes),
    })),
  });
  const log = (given: LogRecord): LogRecord => ({
    ...given,
    eventName: structureOfName(given.eventName, mask),
    attributes: attributes(given.attributes),
    body: structureOfBody(given.body, mask),
  });
  return {
    id,
    text: () => undefined,
    group: ({ resource, scopeName, spans, logs }) => ({
      resource: attributes(resource),
      scopeName: structureOfName(scopeName, mask),
      spans: spans.map(span),
      logs: logs.map(log),
    }),
  };
}
