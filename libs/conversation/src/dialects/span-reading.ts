import type { SpanRecord, ToolDefinition } from '@clew/contracts';

/** Stored span: the record with the resource and the instrumentation scope it came with. */
export interface StoredSpan extends SpanRecord {
  resource: Readonly<Record<string, unknown>>;
  scopeName: string;
}

export type WorkKind = 'model_call' | 'tool_call' | 'agent' | 'embedding' | 'retrieval' | 'other';

export type MessageRole = 'system' | 'user' | 'assistant' | 'tool';

/** Tool call as a model made it; `arguments` is the parsed JSON, or the raw text if it is not JSON. */
export interface ReadToolCall {
  id?: string;
  name: string;
  arguments: unknown;
}

/** Message in the canonical form of all dialects. */
export interface ReadMessage {
  role: MessageRole;
  content: string;
  toolCalls?: ReadToolCall[];
  /** On role tool: the call that this result answers. */
  toolCallId?: string;
  name?: string;
  reasoning?: string;
  /** Parts that are not text, unchanged; long binary text is replaced by its digest. */
  attachments?: Record<string, unknown>[];
  finishReason?: string;
  /** On role tool: the message itself reports that the call failed. */
  isError?: boolean;
  /** True if the instrumentation named the message without its content, so that capture may be off. */
  contentMissing?: boolean;
}

export interface TokenUsage {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
}

export interface ReadError {
  type: string;
  message: string;
}

/** Run of a tool, from its own span. */
export interface ReadTool {
  name: string;
  id?: string;
  /** Absent if the span does not record the arguments. */
  arguments?: unknown;
  result: string;
  /** False if the span carries no result: an empty result is a result. */
  hasResult: boolean;
}

/** GenAI evaluation event: the judgement of a person or an evaluator. */
export interface ReadScore {
  name: string;
  value: number | string;
  label?: string;
  comment?: string;
  timeUnixNano: string;
}

/** Facts of a span that are known without parsing message content. */
export interface SpanFacts {
  kind: WorkKind;
  /** Operation as the dialect names it (`chat`, `execute_tool`, `ai.generateText.doGenerate`, `LLM`). */
  operation?: string;
  conversationId?: string;
  userId?: string;
  agentName?: string;
  model?: string;
  provider?: string;
  usage: TokenUsage;
}

/** Complete content of a span, from all dialects. */
export interface SpanReading extends SpanFacts {
  /** Instructions that were given separately from the messages. */
  system: ReadMessage[];
  input: ReadMessage[];
  output: ReadMessage[];
  /** False if the span carries no input at all, which differs from an empty one. */
  hasInput: boolean;
  hasOutput: boolean;
  tool?: ReadTool;
  toolDefinitions: ToolDefinition[];
  error?: ReadError;
  scores: ReadScore[];
  finishReason?: string;
  responseId?: string;
  previousResponseId?: string;
  /** All names of the model in this span; `model` is the one that it is listed by. */
  modelNames: string[];
  /** True if the history in this call's input was compacted. */
  compacted: boolean;
}

/** Part of a reading from one dialect; absent members are unknown to that dialect. */
export interface SpanContent {
  system?: ReadMessage[];
  input?: ReadMessage[];
  output?: ReadMessage[];
  tool?: ReadTool;
  toolDefinitions?: ToolDefinition[];
  finishReason?: string;
}
