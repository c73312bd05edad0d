export type { AskModel, Question } from './ask-model.ts';
export { synthesizeFromConversation } from './synthesize-from-conversation.ts';
export { synthesizeFromItem } from './synthesize-from-item.ts';
export type { Synthesized } from './synthesized.ts';
