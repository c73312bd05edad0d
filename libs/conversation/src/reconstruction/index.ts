export {
  assembleConversation,
  readTelemetry,
  type AssembledConversation,
  type ConversationRecords,
  type TelemetryRead,
} from './assemble-conversation.ts';
export { idKeysOfRecord, keysOfRecord, TOLERANCE_NS, type CallRecord, type HeldRecord } from './call-identity.ts';
export { contentHashOf, messageHashOf, ownHashOf } from './content-hash.ts';
export { ConversationFinder } from './conversation-finder.ts';
export { heldBy, shareCalls } from './share-calls.ts';
