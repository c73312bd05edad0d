import type { ConversationMessage } from '@clew/contracts';
import { findPhrase } from '../text/phrases.ts';
import type { Sentence } from '../text/sentences.ts';
import type { TextValue } from '../values/scan-text.ts';
import type { ConversationView } from '../view/conversation-view.ts';
import { ASSUMED } from '../vocabulary/assumptions.ts';

/** Facts about one step of an agent, for deciding whether the trouble began there. */
export interface Step {
  readonly message: ConversationMessage;
  readonly position: number;
  /** Number of agents' steps before it. */
  readonly rank: number;
  readonly agent: string;
  /** Values that nothing before it contains in this form. */
  readonly introduced: readonly TextValue[];
  /** Values in the last answer that this step mentioned first. */
  readonly leadsToEnd: readonly TextValue[];
  /** True if the first failure of the conversation is the result of this step. */
  readonly isBeforeFailure: boolean;
  /** Number of sentences that assume something. */
  readonly assumptions: number;
  /** True if the step opens the work of several agents: it hands out the task. */
  readonly isOpening: boolean;
}

/** Lists the steps of agents: texts and calls, except mere verbatim repetitions. */
export function stepsOf(view: ConversationView): Step[] {
  const own = ownSteps(view);
  const ending = endingValues(view, own);
  const failing = firstFailing(view, own);
  const agents = new Set(own.map((message) => view.agentOf(message)));
  return own.map((message, rank): Step => {
    const position = view.positionOf(message);
    const introduced = view.values.introducedAt(position);
    return {
      message,
      position,
      rank,
      agent: view.agentOf(message),
      introduced,
      leadsToEnd: introduced.filter((value) => ending.has(value.key)),
      isBeforeFailure: message === failing,
      assumptions: view.sentences(message).filter(isAssumption).length,
      isOpening: rank === 0 && agents.size > 1,
    };
  });
}

/** Returns the first sentence of a message that assumes something. */
export function assumptionIn(view: ConversationView, message: ConversationMessage): Sentence | undefined {
  return view.sentences(message).find(isAssumption);
}

function isAssumption(sentence: Sentence): boolean {
  return findPhrase(ASSUMED, sentence) !== undefined;
}

function ownSteps(view: ConversationView): ConversationMessage[] {
  const seen = new Set<string>();
  return view.messages.filter((message) => {
    if (message.role !== 'assistant' || seen.has(message.content)) return false;
    if ((message.toolCalls?.length ?? 0) > 0) return true;
    if (message.content.trim() === '') return false;
    seen.add(message.content);
    return true;
  });
}

/** Collects the values of the last two steps, the outcome of the conversation. */
function endingValues(view: ConversationView, own: readonly ConversationMessage[]): ReadonlySet<string> {
  return new Set(
    own.slice(-2).flatMap((message) => view.values.at(view.positionOf(message)).map((value) => value.key)),
  );
}

function firstFailing(view: ConversationView, own: readonly ConversationMessage[]): ConversationMessage | undefined {
  const failure = view.messages.findIndex((message) => message.role === 'tool' && view.errorOf(message) !== undefined);
  if (failure === -1) return undefined;
  const caller = view.calls.find((call) => call.result === view.messages[failure])?.callMessage;
  return caller ?? own.findLast((message) => view.positionOf(message) < failure);
}
