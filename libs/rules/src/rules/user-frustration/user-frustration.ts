import type { ConversationMessage } from '@clew/contracts';
import { hasText, type Turn } from '../../conversation/turns.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from '../../rule.ts';
import { compileKeywords, findPhrase, type PhraseSet } from '../../text/phrases.ts';
import { endQuoteOf, shorten } from '../../text/quote.ts';
import type { Sentence } from '../../text/sentences.ts';
import { viewOf, type ConversationView } from '../../view/conversation-view.ts';
import { FRUSTRATED, GIVEN_UP, PERSON_WANTED } from '../../vocabulary/frustration.ts';
import { messageEvidence } from '../support/evidence.ts';

/**
 * Frustration of the user, who is angry, gives up, or wants to talk to somebody else.
 *
 * Cluster: the agent, and the tool it used last before. The words of upset users differ, but seldom the place.
 */
export const userFrustration: RuleDefinition = {
  ruleId: 'rule_1GDKE7BAJTBTQRBP77404N7PVX',
  ruleKey: 'user_frustration',
  name: 'User frustration',
  description: 'The user shows anger, gives up, or asks for a person in place of the agent.',
  categoryKey: 'user_experience',
  keywordsMeaning: 'Further phrases with which users show that they are frustrated',
  signals: [
    {
      name: 'frustration_voiced',
      description: 'The user says that the conversation is frustrating, useless or a waste of time',
      defaultSeverity: 'low',
      weight: 0.75,
    },
    {
      name: 'user_gave_up',
      description: 'The user gives up without having got what was asked for',
      defaultSeverity: 'medium',
      weight: 0.65,
    },
    {
      name: 'person_wanted',
      description: 'The user asks for a person, after the agent has answered',
      defaultSeverity: 'low',
      weight: 0.4,
    },
    {
      name: 'shouting',
      description: 'The user writes in capitals, or with rows of exclamation or question marks',
      defaultSeverity: 'low',
      weight: 0.3,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot, configuration) {
    const view = viewOf(snapshot);
    const keywords = compileKeywords(configuration.keywords);
    const { turns } = view;
    return turns.flatMap((turn, index) => {
      const before = turns[index - 1];
      // A user who arrives angry is angry about something else.
      const answer = before?.messages.findLast(hasText);
      if (before === undefined || answer === undefined || turn.userMessage === undefined) return [];
      const found = signalsIn(view, turn.userMessage, keywords);
      return found === undefined ? [] : [toOccurrence(view, turn.userMessage, answer, before, found)];
    });
  },
};

interface Found {
  readonly signals: readonly SignalHit[];
  readonly sentence: Sentence | undefined;
}

/** Phrases about others, or about the subject that the user wants help with: `my customers are angry`. */
const OTHERS =
  /\b(?:my|our|the|his|her|their) (?:boss|customer|customers|client|clients|wife|husband|team|users?|colleague|colleagues|kids?|neighbou?rs?|landlord|bank|company|airline|manager|supervisor)\b/i;
const MIN_CAPITALS = 12;
const SHOUTED = /[!?]{3,}/;

function signalsIn(view: ConversationView, message: ConversationMessage, keywords: PhraseSet): Found | undefined {
  const sentences = view.sentences(message).filter(({ start, end }) => !OTHERS.test(message.content.slice(start, end)));
  const first = (phrases: PhraseSet): Sentence | undefined =>
    sentences.find((sentence) => findPhrase(phrases, sentence) !== undefined);
  const voiced = first(FRUSTRATED) ?? first(keywords);
  const gaveUp = first(GIVEN_UP);
  const wanted = first(PERSON_WANTED);
  const isShouting = isShouted(message.content.slice(0, 2000));
  const signals: SignalHit[] = [
    ...(voiced === undefined ? [] : [{ name: 'frustration_voiced', strength: 1 }]),
    ...(gaveUp === undefined ? [] : [{ name: 'user_gave_up', strength: 1 }]),
    ...(wanted === undefined ? [] : [{ name: 'person_wanted', strength: 1 }]),
    ...(isShouting ? [{ name: 'shouting', strength: 1 }] : []),
  ];
  return signals.length === 0 ? undefined : { signals, sentence: voiced ?? gaveUp ?? wanted };
}

function isShouted(text: string): boolean {
  if (SHOUTED.test(text)) return true;
  const letters = text.replace(/[^\p{L}]/gu, '');
  return letters.length >= MIN_CAPITALS && letters.replace(/[^\p{Lu}]/gu, '').length / letters.length > 0.8;
}

function toOccurrence(
  view: ConversationView,
  message: ConversationMessage,
  answer: ConversationMessage,
  before: Turn,
  { signals, sentence }: Found,
): Occurrence {
  const agent = view.agentOf(answer);
  const tool = before.messages.findLast((one) => (one.toolCalls?.length ?? 0) > 0)?.toolCalls?.at(-1)?.name;
  const said = sentence === undefined ? message.content : message.content.slice(sentence.start, sentence.end);
  return {
    signals,
    signature: { names: [agent, tool ?? 'no tool'], text: '' },
    evidence: [
      messageEvidence(message, 'What the user says', 'The user is not content with how it goes.', sentence),
      {
        kind: 'message',
        message: answer,
        title: 'What the agent had said',
        summary: 'The answer before.',
        quote: endQuoteOf(answer.content, 240),
      },
    ],
    narrative: {
      title:
        tool === undefined ? `Users lose patience with ${agent}` : `Users lose patience with ${agent} after ${tool}`,
      summary: `The user wrote: "${shorten(said, 200)}".`,
      causeAssessment: 'The user says so; the answers before are in the evidence.',
      remediationHint: `Read the turns before: what was asked, and what ${agent} did with it; offer a person before patience ends.`,
    },
  };
}
