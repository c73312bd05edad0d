export { attachmentIdentity } from './attachments.ts';
export { callSigns } from './call-signs.ts';
export { lookedUpBy, lookedUpTexts } from './looked-up.ts';
export { readSpan } from './read-span.ts';
export { spanFacts } from './span-facts.ts';
export { readError } from './span-error.ts';
export type {
  MessageRole,
  ReadError,
  ReadMessage,
  ReadScore,
  ReadTool,
  ReadToolCall,
  SpanFacts,
  SpanReading,
  StoredSpan,
  TokenUsage,
  WorkKind,
} from './span-reading.ts';
export { canonicalText } from './values.ts';
export { isStep } from './work-kind.ts';
