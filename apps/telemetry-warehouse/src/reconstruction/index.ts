export {
  assembleConversation,
  readTelemetry,
  type AssembledConversation,
  type ConversationRecords,
  type TelemetryRead,
} from './assemble-conversation.ts';
export { idKeysOfRecord, keysOfRecord, TOLERANCE_NS, type CallRecord, type HeldRecord } from './call-identity.ts';
export { contentHashOf, messageHashOf, ownHashOf } from './content-hash.ts';
export { ConversationFinder, type ConversationSpan } from './conversation-finder.ts';
export type { ConversationSummary } from './conversation-summary.ts';
export { MAX_SNAPSHOT_BYTES, MAX_SNAPSHOT_MESSAGES } from './limits.ts';
export { heldBy, shareCalls, type SharedOut } from './share-calls.ts';
export { resultPositions, type CallPosition, type LinkedMessage } from './result-positions.ts';
