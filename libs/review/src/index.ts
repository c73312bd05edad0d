export { foundQuote, framedCall, textsOf } from './message-texts.ts';
export { readConversation, type AskModel, type ConversationReading, type Question } from './read-conversation.ts';
export { isTaintedForJudge } from './tainted-message.ts';
