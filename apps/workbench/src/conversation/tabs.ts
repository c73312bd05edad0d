/** Parts of a conversation beside its transcript. */
export type ConversationTab = 'steps' | 'traces' | 'scores' | 'raw';
/** Names of them, as they stand in an address. */
export const CONVERSATION_TABS: readonly ConversationTab[] = ['steps', 'traces', 'scores', 'raw'];
