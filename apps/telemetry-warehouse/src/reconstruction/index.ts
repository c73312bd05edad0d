export { assembleConversation, type AssembledConversation, type ConversationRecords } from './assemble-conversation.ts';
export { contentHashOf } from './content-hash.ts';
export { conversationOf, type ConversationSpan } from './conversation-of.ts';
export type { ConversationSummary } from './conversation-summary.ts';
export { MAX_SNAPSHOT_BYTES, MAX_SNAPSHOT_MESSAGES } from './limits.ts';
export { resultPositions, type CallPosition, type LinkedMessage } from './result-positions.ts';
