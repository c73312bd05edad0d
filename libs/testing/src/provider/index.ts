export { defaultAnswer, instanceOf, lastUserText, type ChatRequest, type ScriptedAnswer } from './answers.ts';
export {
  allText,
  capableModel,
  dataBlocksOf,
  injectionOf,
  obedientModel,
  rateLimited,
  RIGHT_JUDGEMENTS,
  slowly,
  TIMES_OUT,
  UNUSABLE_ANSWERS,
  type Capabilities,
  type Reply,
} from './behaviours.ts';
export { usageOf } from './chat.ts';
export { startProvider, type ReceivedRequest, type ScriptedProvider, type StartProviderOptions } from './provider.ts';
