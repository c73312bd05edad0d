import type { ConversationMessage } from '@clew/contracts';
import { isChange } from '../../judgement/changes.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition } from '../../rule.ts';
import { deniedByOwnChange, type DeniedChange } from '../../links/denied-changes.ts';
import { findPhrase } from '../../text/phrases.ts';
import { shorten } from '../../text/quote.ts';
import type { Sentence } from '../../text/sentences.ts';
import { viewOf, type ConversationView, type ViewedCall } from '../../view/conversation-view.ts';
import { STATE_FORBIDS } from '../../vocabulary/refusals.ts';
import { callEvidence, messageEvidence } from '../support/evidence.ts';

/**
 * Irreversible change that blocked the next one: a later change of the same thing was refused.
 *
 * Cluster: the tool of the first change and that of the second, because a fix reverses their order.
 */
export const lockingChange: RuleDefinition = {
  ruleId: 'rule_GRR4J5GDMAN1M758TKXW6KJCBN',
  ruleKey: 'locking_change',
  name: 'Change that locks the next',
  description: 'A change was made, and a later change of the same thing was refused because of it.',
  categoryKey: 'planning',
  keywordsMeaning: null,
  signals: [
    {
      name: 'later_change_denied',
      description: 'A later call that changes the same thing was answered by an error about its state',
      defaultSeverity: 'medium',
      weight: 0.7,
    },
    {
      name: 'later_wish_denied',
      description: 'The user asked for a further change of the thing, and the agent said that it is no longer possible',
      defaultSeverity: 'low',
      weight: 0.5,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    const first = view.calls.find((call) => isChange(call) && wasDone(call));
    if (first === undefined) return [];
    // Several refusals after one change have one root, which is reported once.
    const denied = Map.groupBy(deniedByOwnChange(snapshot).values(), (one) => one.first);
    const occurrences = [...denied.values()].flatMap(([one]) => (one === undefined ? [] : [denialOf(view, one)]));
    return occurrences.length > 0 ? occurrences : wishesDenied(view, first);
  },
};

function wasDone({ error, result }: ViewedCall): boolean {
  return error === undefined && result !== undefined;
}

function denialOf(view: ConversationView, { first, denied, thing, state }: DeniedChange): Occurrence {
  const told = `After it, ${shorten(thing, 60)} was "${shorten(state, 60)}".`;
  return toOccurrence(view, first, 'later_change_denied', denied.toolName, denied.result ?? denied.callMessage, told);
}

/**
 * Finds denials told to the user after the change: `Since it has been exchanged already, it can no longer be changed`.
 */
function wishesDenied(view: ConversationView, first: ViewedCall): Occurrence[] {
  const wish = view.userMessages.find((message) => view.positionOf(message) > first.position);
  if (wish === undefined) return [];
  for (const message of view.messages.slice(view.positionOf(wish) + 1)) {
    if (message.role !== 'assistant') continue;
    const denial = view
      .sentences(message)
      .find((sentence) => findPhrase(STATE_FORBIDS, sentence) !== undefined && namesEarlierChange(sentence));
    if (denial !== undefined)
      return [toOccurrence(view, first, 'later_wish_denied', 'a further change', message, '', denial)];
  }
  return [];
}

const EARLIER =
  /\b(?:already|no longer|once|after (?:the|it|that|this)|since (?:the|it|that|this)|now that|bereits|nicht mehr|d[ée]j[àa]|ya|j[áa])\b/i;

function namesEarlierChange(sentence: Sentence): boolean {
  return sentence.tokens.some(({ text }) => EARLIER.test(text)) && !sentence.isQuestion;
}

function toOccurrence(
  view: ConversationView,
  first: ViewedCall,
  signal: string,
  second: string,
  denial: ConversationMessage,
  told: string,
  sentence?: Sentence,
): Occurrence {
  const agent = view.agentOf(first.callMessage);
  return {
    signals: [{ name: signal, strength: 1 }],
    signature: { names: [first.toolName, second], text: '' },
    evidence: [
      callEvidence(first, 'The change that was made first'),
      messageEvidence(
        denial,
        'The later change is refused',
        'The state of the thing does not allow it any more.',
        sentence,
      ),
    ],
    narrative: {
      title: `${agent} calls ${first.toolName} before ${second}, which is refused because of it`,
      summary: `${first.toolName} was called, and ${second} of the same thing was refused afterwards. ${told}`.trim(),
      causeAssessment: `${first.toolName} was called before everything that was to be changed had been changed.`,
      remediationHint: `Say in the description of ${first.toolName} what it makes impossible, and let ${agent} ask for everything that is to be changed before the first call.`,
    },
  };
}
