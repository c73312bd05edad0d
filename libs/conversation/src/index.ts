export { callSigns, isStep, spanFacts, type StoredSpan, type WorkKind } from './dialects/index.ts';
export {
  assembleConversation,
  contentHashOf,
  ConversationFinder,
  heldBy,
  idKeysOfRecord,
  keysOfRecord,
  messageHashOf,
  ownHashOf,
  readTelemetry,
  shareCalls,
  TOLERANCE_NS,
  type AssembledConversation,
  type CallRecord,
  type ConversationRecords,
  type HeldRecord,
  type TelemetryRead,
} from './reconstruction/index.ts';
