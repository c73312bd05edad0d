import type { ConversationMessage } from '@clew/contracts';
import type { Blame } from './step-figures.ts';

/** Agents that only delegate, execute or ask: no baseline blames them. */
const NO_EXPERT = /^(?:orchestrator|manager|coordinator|.*terminal|executor|human|user)$/i;
const ERROR = /\b(?:traceback|error|exception|failed)\b/i;

/** Members of a message that baselines look at. */
export type BlamedMessage = Pick<ConversationMessage, 'index' | 'role' | 'name' | 'content'>;

export interface Baseline {
  readonly name: string;
  blame(messages: readonly BlamedMessage[]): readonly Blame[];
}

/** Baselines, which blame steps without understanding the conversation. */
export const BASELINES: readonly Baseline[] = [
  { name: 'firstExpertSteps', blame: (messages) => expertSteps(messages).map(toBlame) },
  {
    name: 'beforeFirstError',
    blame(messages) {
      const steps = expertSteps(messages);
      const firstError = messages.findIndex(({ role, content }) => role === 'tool' && ERROR.test(content));
      const before = firstError === -1 ? undefined : steps.findLast(({ index }) => index < firstError);
      return [...(before === undefined ? [] : [before]), ...steps.filter((step) => step !== before)].map(toBlame);
    },
  },
  {
    name: 'mostFrequentAgent',
    blame(messages) {
      const counts = new Map<string, number>();
      for (const { name = '' } of messages.filter(isAgentStep)) counts.set(name, (counts.get(name) ?? 0) + 1);
      const most = [...counts].sort(([, left], [, right]) => right - left)[0]?.[0];
      return messages.filter((message) => isAgentStep(message) && message.name === most).map(toBlame);
    },
  },
];

function expertSteps(messages: readonly BlamedMessage[]): BlamedMessage[] {
  return messages.filter((message) => isAgentStep(message) && !NO_EXPERT.test(message.name ?? ''));
}

function isAgentStep({ role, name }: BlamedMessage): boolean {
  return role === 'assistant' && !/terminal$/i.test(name ?? '');
}

function toBlame({ index, name }: BlamedMessage): Blame {
  return { step: index, agent: name ?? '' };
}
