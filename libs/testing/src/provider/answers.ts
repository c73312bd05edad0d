/** How a scripted provider answers one request. What is absent is as a well-behaved provider has it. */
export interface ScriptedAnswer {
  /** An error of this status, in the OpenAI form. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** The body as it is, whatever was asked for. */
  rawBody?: string;
  /** What the assistant says. */
  text?: string;
  toolCalls?: readonly { id: string; name: string; arguments: unknown }[];
  finishReason?: string;
  /** Before the head of the answer. */
  delayMs?: number;
  /** Before each chunk of a stream, or each tenth of a body. */
  chunkDelayMs?: number;
  /** Cuts the connection after so many chunks of a stream, or bytes of a body. */
  cutAfter?: number;
  /** Takes the request and never answers. */
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

/** The text of the last message of a user. */
export function lastUserText(request: ChatRequest): string {
  const last = request.messages.findLast(({ role }) => role === 'user')?.content;
  if (typeof last === 'string') return last;
  const parts = Array.isArray(last) ? (last as { text?: string }[]) : [];
  return parts.map(({ text }) => text ?? '').join('');
}

/** What a helpful model would do: JSON where JSON is asked for, a tool call where one is demanded, else an echo. */
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

/** A small value that a JSON schema takes. */
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
