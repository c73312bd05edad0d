export type { CallChanges } from './call-updates.ts';
export {
  conversationCollection,
  conversationKey,
  conversationModel,
  type CallTaken,
  type ConversationDocument,
} from './conversation.model.ts';
export {
  CONVERSATIONS,
  createConversationStore,
  type AssembledFields,
  type AssembledSave,
  type ConversationStore,
  type Handover,
  type KnownConversation,
  type Touch,
} from './conversations.store.ts';
export { createDueConversations, type ClaimedConversation, type DueConversations } from './due-conversations.store.ts';
export { previewOf } from './preview.ts';
export {
  createReadyConversationStore,
  READY_CONVERSATIONS,
  readySnapshotOf,
  type ReadyConversationStore,
} from './ready-conversations.store.ts';
export { termsOf } from './terms.ts';
