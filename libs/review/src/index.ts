export { foundQuote, framedCall, textsOf } from './message-texts.ts';
export type { PromptMessage } from './prompt-message.ts';
export { maxAnswerTokensOf, maxCharactersOf } from './review-prompt.ts';
export { transcriptOf } from './transcript.ts';
export { readConversation, type AskModel, type ConversationReading, type Question } from './read-conversation.ts';
export { isTaintedForJudge } from './tainted-message.ts';
export { SameKindsAnswer, sameKindsOf, sameKindsPrompt } from './same-kinds.ts';
