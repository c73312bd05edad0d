import type { SpanRecord } from '@clew/contracts';
import { hasControlCharacter } from '@clew/kernel';
import { observationType } from './langfuse.ts';
import type { SpanFacts } from './span-reading.ts';
import { usageOf } from './token-usage.ts';
import { firstIdentifier, type JsonRecord } from './values.ts';
import { workOf } from './work-kind.ts';

/** Where a conversation's name is found, the first that is present. */
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

/** The conversation that attributes name explicitly; names that a path or a log could not hold do not count. */
export function conversationIdOf(attributes: JsonRecord): string | undefined {
  const found = firstIdentifier(attributes, CONVERSATION_KEYS);
  return found === undefined || hasControlCharacter(found) ? undefined : found;
}

/**
 * What a span is and whose: cheap enough to run on every span at ingest, since no message content is parsed.
 * Never throws, whatever the attributes hold.
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

/** Dialects in which an agent has no attribute of its own for its name. */
function namedAgent(span: SpanRecord): string | undefined {
  const { attributes } = span;
  if (attributes['traceloop.span.kind'] === 'agent') return firstIdentifier(attributes, ['traceloop.entity.name']);
  return observationType(attributes) === 'agent' ? firstIdentifier({ name: span.name }, ['name']) : undefined;
}
