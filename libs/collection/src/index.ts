export type { Decision, Look } from './decision.ts';
export { derivationKeyOf } from './derivation.ts';
export { lookAtConversation } from './look-at-conversation.ts';
export { lookAtItem } from './look-at-item.ts';
export { preserve } from './preserve.ts';
export {
  synthesizeFromConversation,
  synthesizeFromItem,
  type AskModel,
  type Question,
  type Synthesized,
} from './synthesis/index.ts';
