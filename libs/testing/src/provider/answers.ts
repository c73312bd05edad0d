/** Scripted answer of a provider to one request. Absent members are as in a well-behaved provider. */
export interface ScriptedAnswer {
  /** Words that a request must have, where others may come meanwhile: Clew asks models what they can do. */
  about?: string;
  /** Status of an error in the OpenAI form. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** Literal body, whatever was requested. */
  rawBody?: string;
  /** Text of the assistant. */
  text?: string;
  toolCalls?: readonly { id: string; name: string; arguments: unknown }[];
  finishReason?: string;
  /** Delay before the head of the answer. */
  delayMs?: number;
  /** Delay before each chunk of a stream, or each tenth of a body. */
  chunkDelayMs?: number;
  /** Number of chunks of a stream, or bytes of a body, after which the connection is cut. */
  cutAfter?: number;
  /** True to accept the request and never answer. */
  silent?: boolean;
}

export interface ChatRequest {
  model: string;
  messages: { role: string; content?: unknown; tool_calls?: unknown }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  response_format?: { type: string; json_schema?: { schema: unknown } };
  tools?: { function: { name: string; parameters?: unknown } }[];
  tool_choice?: unknown;
  [member: string]: unknown;
}

/** Returns the text of the user's last message. */
export function lastUserText(request: ChatRequest): string {
  const last = request.messages.findLast(({ role }) => role === 'user')?.content;
  if (typeof last === 'string') return last;
  const parts = Array.isArray(last) ? (last as { text?: string }[]) : [];
  return parts.map(({ text }) => text ?? '').join('');
}

/** Answers like a helpful model: JSON if JSON is requested, a tool call if one is required, otherwise an echo. */
export function defaultAnswer(request: ChatRequest): ScriptedAnswer {
  const tool = request.tools?.[0];
  if (tool !== undefined && request.tool_choice !== undefined && request.tool_choice !== 'none') {
    const name = tool.function.name;
    return { toolCalls: [{ id: 'call_1', name, arguments: instanceOf(tool.function.parameters) }] };
  }
  const format = request.response_format;
  if (format?.type === 'json_schema') return { text: JSON.stringify(instanceOf(format.json_schema?.schema)) };
  if (format?.type === 'json_object') return { text: JSON.stringify({ answer: lastUserText(request) }) };
  return { text: `You said: ${lastUserText(request)}` };
}

/** Creates a small value that fits a JSON schema. */
export function instanceOf(schema: unknown): unknown {
  const { type, properties, enum: options, items } = (schema ?? {}) as Record<string, unknown>;
  if (Array.isArray(options)) return options[0];
  if (type === 'object' || properties !== undefined) {
    const entries = Object.entries((properties ?? {}) as Record<string, unknown>);
    return Object.fromEntries(entries.map(([name, property]) => [name, instanceOf(property)]));
  }
  if (type === 'array') return items === undefined ? [] : [instanceOf(items)];
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'boolean') return true;
  return type === 'null' ? null : 'text';
}
