import { readJson } from '@clew/kernel';
import { notCaptured } from './not-captured.ts';

/** Masks what is kept of a text: a name or an id may hold personal data, too. */
type Mask = (text: string) => string;

/** Word without spaces, as ids, kinds and names of models and tools are. */
const IDENTIFIER = /^[\w.:/+#-]{1,128}$/;
/** Names of agents and tools, which may have a few words. */
const NAME = /^[\p{L}\p{N}_.:/-]{1,64}(?: [\p{L}\p{N}_.:/-]{1,32}){0,3}$/u;

/** Attributes that say how a call was made, of all conventions that are read. */
const KEPT_ATTRIBUTE =
  /^(?:gen_ai|llm|ai|openinference|traceloop|langfuse|tool|tool_call|agent|agents|clew|service|telemetry|embedding|session|user|enduser|error|exception|event|otel|http|rpc|graph)\.(?:[\w-]{1,64}\.){0,12}(?:role|type|kind|id|model|model_name|system|provider|operation|operationId|functionId|finish_reason|finish_reasons|finishReason|level|sessionId|userId|session_id|user_id|thread_id|conversation_id|mime_type|language|version|tool_call_id|method|environment|release|label)$|^(?:role|id|type|finish_reason|tool_call_id)$/;
/** Attributes that name an agent, a tool, a model or a program, never a person. */
const KEPT_NAME =
  /^(?:(?:gen_ai|llm)\.(?:[\w-]{1,64}\.){0,12}(?:agent|tool|function|tool_calls\.\d{1,5}|provider|operation|data_source|workflow|evaluation)\.name|(?:llm|gen_ai)\.(?:[\w-]{1,64}\.){0,12}tool_call\.function\.name|(?:agent|tool|service|telemetry\.sdk|traceloop\.entity|traceloop\.workflow|operation|graph\.node|langfuse\.observation\.model|embedding|library|event|ai\.toolCall|ai\.model|resource)\.name)$/;
/** Attributes that hold messages or definitions of tools as JSON or as values, and nothing else that looks like them. */
const MESSAGES =
  /^(?:gen_ai\.(?:input\.messages|output\.messages|system_instructions|prompt|completion|event\.content|tool\.definitions|agent\.tools)|ai\.(?:prompt|prompt\.messages|prompt\.tools|prompt\.format|response\.toolCalls|result\.toolCalls)|llm\.(?:input_messages|output_messages|prompts|choices|tools|request\.functions)|langfuse\.(?:observation|trace)\.(?:input|output)|input\.value|output\.value|traceloop\.entity\.(?:input|output)|input|output|message|messages|tool_calls)$/;
/** Attributes that hold numbers of tokens as JSON. */
const USAGE = /(?:^|[._])(?:usage|usage_details|cost_details|token_usage)$/;
/** Attributes whose numbers are content, such as the result of a tool. */
const CONTENT_NUMBER = /(?:^|\.)(?:value|result|arguments|content|input|output|body|text|args|parameters|query)$/;
const ROLES: ReadonlySet<string> = new Set(
  'system user assistant tool developer function human ai model data chatbot bot agent'.split(' '),
);
const PART_TYPES: ReadonlySet<string> = new Set(
  `text input_text output_text reasoning thinking refusal tool_call tool_calls tool_use tool_result tool_call_response
  tool-call tool-result function function_call function_call_output message uri blob file image image_url input_image
  audio input_audio constructor`.split(/\s+/),
);
const SCALARS: ReadonlySet<string> = new Set(
  'role type kind id tool_call_id toolCallId call_id toolName finish_reason finishReason stop_reason modality mime_type mimeType model object'.split(
    ' ',
  ),
);
const CONTAINERS: ReadonlySet<string> = new Set(
  'messages message parts content tool_calls toolCalls tool_call function function_call delta choices generations kwargs lc_kwargs additional_kwargs output input prompt data'.split(
    ' ',
  ),
);
const CONTENT: ReadonlySet<string> = new Set(
  'content text arguments args input response result output refusal reasoning thinking value parameters'.split(' '),
);
const COUNTS = /(?:tokens?|usage|index|count|duration|_ms|details)$/i;
const MAX_DEPTH = 40;

/** Tells whether a text can be an id: it has no spaces, and no address in it. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}

/** Reduces attributes to their structure: what a call was, and the lengths of what was said. */
export function structureOfAttributes(
  attributes: Readonly<Record<string, unknown>>,
  mask: Mask,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [mask(key), structureOfAttribute(key, value, mask)]),
  );
}

/** Reduces the body of a GenAI event, which is a message or holds one. */
export function structureOfBody(body: unknown, mask: Mask): unknown {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return isObject ? structureOfObject(body, mask, 0, true) : structureOfMessages(body, mask);
}

function structureOfAttribute(key: string, value: unknown, mask: Mask): unknown {
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return CONTENT_NUMBER.test(key) ? lengthOf(value) : value;
  if (MESSAGES.test(key)) return structureOfMessages(value, mask);
  if (USAGE.test(key)) return usageOf(value);
  if (typeof value === 'string') {
    if (KEPT_ATTRIBUTE.test(key) && IDENTIFIER.test(value)) return mask(value);
    return KEPT_NAME.test(key) && NAME.test(value) ? mask(value) : lengthOf(value);
  }
  const isKept = KEPT_ATTRIBUTE.test(key) && Array.isArray(value);
  return isKept ? value.map((item) => keptOr(item, IDENTIFIER, mask)) : lengthOf(value);
}

/** Reduces the name of a span or of an event: it is one of few, unless a program writes what was said into it. */
export function structureOfName(name: string, mask: Mask): string {
  return name === '' || NAME.test(name) ? mask(name) : lengthOf(name);
}

function structureOfMessages(value: unknown, mask: Mask): unknown {
  if (typeof value !== 'string') return isMessages(value) ? structureOf(value, mask, 0) : lengthOf(value);
  if (!/^\s{0,20}[{[]/.test(value)) return lengthOf(value);
  try {
    const parsed: unknown = readJson(value);
    return isMessages(parsed) ? JSON.stringify(structureOf(parsed, mask, 0)) : lengthOf(value);
  } catch {
    return lengthOf(value);
  }
}

/** Tells whether a value is, or contains, something with the form of messages. */
function isMessages(value: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => isMessages(item, depth + 1));
  if (isMessage(value) || isCall(value)) return true;
  return Object.entries(value).some(([name, member]) => CONTAINERS.has(name) && isMessages(member, depth + 1));
}

function isMessage(value: object): boolean {
  const { role, type } = value as { role?: unknown; type?: unknown };
  return (typeof role === 'string' && ROLES.has(role)) || (typeof type === 'string' && PART_TYPES.has(type));
}

function structureOf(value: unknown, mask: Mask, depth: number): unknown {
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object' || depth > MAX_DEPTH) return lengthOf(value);
  if (Array.isArray(value)) return value.map((item) => structureOf(item, mask, depth + 1));
  return structureOfObject(value, mask, depth, isMessage(value) || isCall(value));
}

function structureOfObject(value: object, mask: Mask, depth: number, isNamed: boolean): Record<string, unknown> {
  const kept: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (isNamed && SCALARS.has(name)) kept.push([name, keptOr(member, IDENTIFIER, mask)]);
    else if (isNamed && name === 'name') kept.push([name, keptOr(member, IDENTIFIER, mask)]);
    else if (COUNTS.test(name)) kept.push([name, countsOf(member)]);
    else if (CONTAINERS.has(name) && isContainer(name, member)) kept.push([name, structureOf(member, mask, depth + 1)]);
    else if (CONTENT.has(name)) kept.push([name, member === null ? null : lengthOf(member)]);
  }
  return Object.fromEntries(kept);
}

/** Tells whether an object is the function of a call: it has a name and arguments. */
function isCall(value: object): boolean {
  const hasName = 'name' in value || 'toolName' in value;
  return hasName && ('arguments' in value || 'args' in value || 'toolName' in value || 'parameters' in value);
}

/** Tells whether a member holds messages or parts; the input and the output of a tool are content, whatever they hold. */
function isContainer(name: string, member: unknown): boolean {
  if (typeof member !== 'object' || member === null) return false;
  return name === 'function' || name === 'function_call' || isMessages(member);
}

function keptOr(value: unknown, pattern: RegExp, mask: Mask): unknown {
  if (typeof value === 'string') return value === '' || pattern.test(value) ? mask(value) : lengthOf(value);
  return value === null || typeof value === 'boolean' ? value : lengthOf(value);
}

function usageOf(value: unknown): unknown {
  if (typeof value !== 'string') return countsOf(value);
  try {
    return JSON.stringify(countsOf(readJson(value)));
  } catch {
    return lengthOf(value);
  }
}

function countsOf(value: unknown): unknown {
  if (typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return Object.fromEntries(
    Object.entries(value).filter(([name, count]) => typeof count === 'number' && /^\w{1,60}$/.test(name)),
  );
}

function lengthOf(value: unknown): string {
  if (value === '') return '';
  return notCaptured(typeof value === 'string' ? value.length : (JSON.stringify(value) ?? '').length);
}
