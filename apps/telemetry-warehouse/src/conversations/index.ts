export { addFacets, dropFormerListIndexes } from './add-facets.ts';
export { touched, type CallChanges } from './call-updates.ts';
export {
  conversationCollection,
  conversationKey,
  conversationModel,
  type CallTaken,
  LIST_INDEXES,
  type ConversationDocument,
  type HourShare,
  type ScoredValue,
} from './conversation.model.ts';
export { CONVERSATIONS, noConversations, type KnownConversation } from './conversation-lists.store.ts';
export {
  createConversationStore,
  type AssembledFields,
  type AssembledSave,
  type ConversationStore,
  type FindingCount,
  type Handover,
  type Touch,
} from './conversations.store.ts';
export { createDueConversations, type ClaimedConversation, type DueConversations } from './due-conversations.store.ts';
export { BUCKETS, histogramOf, quantileOf, type Histogram } from './durations.ts';
export { facetsOf } from './facets.ts';
export { scoreFilter, type ConversationFilter } from './list-conditions.ts';
export { previewOf } from './preview.ts';
export {
  createReadyConversationStore,
  READY_CONVERSATIONS,
  readySnapshotOf,
  type ReadyConversationStore,
} from './ready-conversations.store.ts';
export { scoredValues, scoreMeanings } from './scored-values.ts';
export { termsOf } from './terms.ts';
