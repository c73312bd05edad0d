export { defaultAnswer, instanceOf, lastUserText, type ChatRequest, type ScriptedAnswer } from './answers.ts';
export { startProvider, type ReceivedRequest, type ScriptedProvider, type StartProviderOptions } from './provider.ts';
