import type { SpanRecord, ToolDefinition } from '@clew/contracts';

/** A span as it is stored: the record with the resource and the instrumentation scope it came with. */
export interface StoredSpan extends SpanRecord {
  resource: Readonly<Record<string, unknown>>;
  scopeName: string;
}

export type WorkKind = 'model_call' | 'tool_call' | 'agent' | 'embedding' | 'retrieval' | 'other';

export type MessageRole = 'system' | 'user' | 'assistant' | 'tool';

/** A tool call as a model made it; `arguments` is the parsed JSON, or the raw text where it is not JSON. */
export interface ReadToolCall {
  id?: string;
  name: string;
  arguments: unknown;
}

/** One message in the canonical form that every dialect is read into. */
export interface ReadMessage {
  role: MessageRole;
  content: string;
  toolCalls?: ReadToolCall[];
  /** On role tool: the call that this result answers. */
  toolCallId?: string;
  name?: string;
  reasoning?: string;
  /** Parts that are not text, as they came; long binary text is replaced by its digest. */
  attachments?: Record<string, unknown>[];
  finishReason?: string;
  /** On role tool: the message itself says that the call failed. */
  isError?: boolean;
  /** The instrumentation named the message without its content, so capture may be off. */
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

/** One run of a tool, from its own span. */
export interface ReadTool {
  name: string;
  id?: string;
  /** Absent where the span does not say what the tool was called with. */
  arguments?: unknown;
  result: string;
  /** False where the span carries no result: an empty result is a result. */
  hasResult: boolean;
}

/** A GenAI evaluation event: the judgement of a person or an evaluator. */
export interface ReadScore {
  name: string;
  value: number | string;
  label?: string;
  comment?: string;
  timeUnixNano: string;
}

/** What a span says about itself without any message content being parsed. */
export interface SpanFacts {
  kind: WorkKind;
  /** The operation as the dialect names it (`chat`, `execute_tool`, `ai.generateText.doGenerate`, `LLM`). */
  operation?: string;
  conversationId?: string;
  userId?: string;
  agentName?: string;
  model?: string;
  provider?: string;
  usage: TokenUsage;
}

/** What a span says in any dialect. */
export interface SpanReading extends SpanFacts {
  /** Instructions that were given apart from the messages. */
  system: ReadMessage[];
  input: ReadMessage[];
  output: ReadMessage[];
  /** False where the span carries no input at all, which differs from an empty one. */
  hasInput: boolean;
  hasOutput: boolean;
  tool?: ReadTool;
  toolDefinitions: ToolDefinition[];
  error?: ReadError;
  scores: ReadScore[];
  finishReason?: string;
  responseId?: string;
  previousResponseId?: string;
  /** All names that the model has in this span; `model` is the one that it is listed by. */
  modelNames: string[];
  /** The history in this call's input was compacted. */
  compacted: boolean;
}

/** The part of a reading that one dialect gives; what is absent, the dialect does not say. */
export interface SpanContent {
  system?: ReadMessage[];
  input?: ReadMessage[];
  output?: ReadMessage[];
  tool?: ReadTool;
  toolDefinitions?: ToolDefinition[];
  finishReason?: string;
}
