import type { ConversationMessage } from '@clew/contracts';
import { isChange } from '../../judgement/changes.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition } from '../../rule.ts';
import { findPhrase } from '../../text/phrases.ts';
import { sentencesOf, type Sentence } from '../../text/sentences.ts';
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
      defaultSeverity: 'high',
      weight: 0.7,
    },
    {
      name: 'later_wish_denied',
      description: 'The user asked for a further change of the thing, and the agent said that it is no longer possible',
      defaultSeverity: 'medium',
      weight: 0.5,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    const changes = view.calls.filter(isChange);
    const first = changes.find(wasDone);
    if (first === undefined) return [];
    const denied = denialsOf(view, changes);
    return denied.length > 0 ? denied : wishesDenied(view, first);
  },
};

const MAX_SHARED = 500;

function wasDone({ error, result }: ViewedCall): boolean {
  return error === undefined && result !== undefined;
}

/** Finds changes that were denied because of the state of a thing, each with the first change of that thing. */
function denialsOf(view: ConversationView, changes: readonly ViewedCall[]): Occurrence[] {
  const firstOf = new Map<string, ViewedCall>();
  return changes.flatMap((call): Occurrence[] => {
    const { error, result, toolName } = call;
    const things = thingsOf(call);
    if (wasDone(call)) {
      for (const thing of things) if (!firstOf.has(thing)) firstOf.set(thing, call);
      return [];
    }
    if (error === undefined || result === undefined) return [];
    const first = [...things].map((thing) => firstOf.get(thing)).find((earlier) => earlier !== undefined);
    const isDenial = sentencesOf(error.text).some((sentence) => findPhrase(STATE_FORBIDS, sentence) !== undefined);
    return first !== undefined && isDenial
      ? [toOccurrence(view, first, 'later_change_denied', toolName, result, undefined)]
      : [];
  });
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
      return [toOccurrence(view, first, 'later_wish_denied', 'a further change', message, denial)];
  }
  return [];
}

const EARLIER =
  /\b(?:already|no longer|once|after (?:the|it|that|this)|since (?:the|it|that|this)|now that|bereits|nicht mehr|d[ée]j[àa]|ya|j[áa])\b/i;

function namesEarlierChange(sentence: Sentence): boolean {
  return sentence.tokens.some(({ text }) => EARLIER.test(text)) && !sentence.isQuestion;
}

/** Collects the ids among a call's arguments, which name the things that it changes. */
function thingsOf(call: ViewedCall): ReadonlySet<string> {
  return new Set(
    call.leaves
      .slice(0, MAX_SHARED)
      .map(({ value }) => String(value).toLowerCase())
      .filter((text) => text.length > 3 && text.length < 80 && /\p{N}/u.test(text) && !/^\d{4}-\d\d/.test(text)),
  );
}

function toOccurrence(
  view: ConversationView,
  first: ViewedCall,
  signal: string,
  second: string,
  denial: ConversationMessage,
  sentence: Sentence | undefined,
): Occurrence {
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
      title: `${first.toolName} comes too early: ${second} is refused after it`,
      summary: `${first.toolName} was called, and ${second} of the same thing was refused afterwards.`,
      causeAssessment:
        'All that was to be changed was not collected before the first change, or the changes were made in an order that their tools do not allow.',
      remediationHint: `Say in the description of ${first.toolName} what it makes impossible, and let ${view.agentOf(first.callMessage)} ask for everything that is to be changed before the first call.`,
    },
  };
}
