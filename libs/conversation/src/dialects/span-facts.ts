import type { SpanRecord } from '@clew/contracts';
import { hasControlCharacter } from '@clew/kernel';
import { observationType } from './langfuse.ts';
import type { SpanFacts } from './span-reading.ts';
import { usageOf } from './token-usage.ts';
import { firstIdentifier, type JsonRecord } from './values.ts';
import { workOf } from './work-kind.ts';

/** Attributes that name the conversation; the first that is present counts. */
const CONVERSATION_KEYS = [
  'gen_ai.conversation.id',
  'langfuse.session.id',
  'session.id',
  'ai.telemetry.metadata.sessionId',
  'traceloop.association.properties.session_id',
  'traceloop.association.properties.conversation_id',
  'traceloop.association.properties.thread_id',
];
const USER_KEYS = [
  'user.id',
  'enduser.id',
  'langfuse.user.id',
  'ai.telemetry.metadata.userId',
  'traceloop.association.properties.user_id',
  'gen_ai.user',
];
const AGENT_KEYS = ['gen_ai.agent.name', 'agent.name', 'ai.telemetry.functionId'];
const MODEL_KEYS = [
  'gen_ai.request.model',
  'gen_ai.response.model',
  'llm.request.model_name',
  'llm.model_name',
  'ai.model.id',
  'langfuse.observation.model.name',
  'embedding.model_name',
];
const PROVIDER_KEYS = ['gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system', 'ai.model.provider'];

/** Returns the conversation that attributes name explicitly; names that a path or a log cannot contain do not count. */
export function conversationIdOf(attributes: JsonRecord): string | undefined {
  const found = firstIdentifier(attributes, CONVERSATION_KEYS);
  return found === undefined || hasControlCharacter(found) ? undefined : found;
}

/**
 * Determines the kind and the owner of a span. Cheap enough for every span at ingest, because no message content is
 * parsed. Never throws, whatever the attributes contain.
 */
export function spanFacts(span: SpanRecord, _resource: JsonRecord, scopeName: string): SpanFacts {
  const { attributes } = span;
  const { kind, operation } = workOf(span, scopeName);
  const conversationId = conversationIdOf(attributes);
  const userId = firstIdentifier(attributes, USER_KEYS);
  const agentName = firstIdentifier(attributes, AGENT_KEYS) ?? (kind === 'agent' ? namedAgent(span) : undefined);
  const model = firstIdentifier(attributes, MODEL_KEYS);
  const provider = firstIdentifier(attributes, PROVIDER_KEYS);
  return {
    kind,
    ...(operation === undefined ? {} : { operation }),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(userId === undefined ? {} : { userId }),
    ...(agentName === undefined ? {} : { agentName }),
    ...(model === undefined ? {} : { model }),
    ...(provider === undefined ? {} : { provider }),
    usage: usageOf(attributes),
  };
}

/** Name of an agent, in dialects without an attribute for it. */
function namedAgent(span: SpanRecord): string | undefined {
  const { attributes } = span;
  if (attributes['traceloop.span.kind'] === 'agent') return firstIdentifier(attributes, ['traceloop.entity.name']);
  return observationType(attributes) === 'agent' ? firstIdentifier({ name: span.name }, ['name']) : undefined;
}
