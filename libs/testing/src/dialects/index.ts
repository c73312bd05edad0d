export { planConversation } from './conversation-plan.ts';
export { encodeConversation } from './encode-conversation.ts';
export {
  CONTENT_MODES,
  DIALECTS,
  type ContentMode,
  type Dialect,
  type EncodedAttributes,
  type EncodedConversation,
  type EncodedEvent,
  type EncodedLog,
  type EncodedSpan,
  type EncodeOptions,
  type ScriptedConversation,
  type ScriptedMessage,
  type ScriptedToolCall,
} from './scripted-conversation.ts';
export { tokensOf } from './span-body.ts';
export { toOtlpJson, toOtlpLogsJson, toTelemetryGroups } from './to-telemetry.ts';
