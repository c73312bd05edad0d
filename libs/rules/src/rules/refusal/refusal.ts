import type { ConversationMessage } from '@clew/contracts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from '../../rule.ts';
import { compileKeywords, findPhrase, type PhraseSet } from '../../text/phrases.ts';
import { shorten } from '../../text/quote.ts';
import type { Sentence } from '../../text/sentences.ts';
import { viewOf, type ConversationView } from '../../view/conversation-view.ts';
import { MODEL_REFUSED, REFUSED } from '../../vocabulary/refusals.ts';
import { messageEvidence } from '../support/evidence.ts';

/**
 * Refusal of the user's request by the agent. A refusal may be right; this Rule reports generic refusals by a model,
 * and repeated refusals of one user.
 *
 * Cluster: the agent and the kind of refusal.
 */
export const refusal: RuleDefinition = {
  ruleId: 'rule_JEP37EKS78B04JEAVZ2HHXA9P3',
  ruleKey: 'refusal',
  name: 'Refusal',
  description: 'The agent refuses what the user asks for, as a model that will not answer, or again and again.',
  categoryKey: 'task_completion',
  keywordsMeaning: 'Further phrases with which an agent refuses',
  signals: [
    {
      name: 'model_refused',
      description: 'The model says that it cannot help with such a request, or is only a language model',
      defaultSeverity: 'low',
      weight: 0.75,
    },
    {
      name: 'request_declined',
      description: 'The agent says that what was asked for is not possible or not allowed',
      defaultSeverity: 'info',
      weight: 0.2,
    },
    {
      name: 'declined_again',
      description: 'The user asked again after a refusal and was refused again, twice or more',
      defaultSeverity: 'low',
      weight: 0.5,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot, configuration) {
    const view = viewOf(snapshot);
    const keywords = compileKeywords(configuration.keywords);
    const found: Occurrence[] = [];
    let declinedBefore = 0;
    for (const turn of view.turns) {
      // The first refusal of a turn counts; an agent's notes to itself between calls are no answer.
      const refused = turn.messages
        .map((message) => refusalIn(view, message, keywords))
        .find((one) => one !== undefined);
      if (refused !== undefined && turn.userMessage !== undefined) {
        found.push(toOccurrence(view, turn.userMessage, refused, declinedBefore));
      }
      declinedBefore = refused === undefined ? 0 : declinedBefore + 1;
    }
    return found;
  },
};

interface Refused {
  readonly message: ConversationMessage;
  readonly sentence: Sentence;
  readonly isOfModel: boolean;
}

const MAX_REFUSAL_SENTENCE = 6;
/**
 * Strength of a second refusal: a right refusal often takes two answers; more often than that, the agent has nothing to
 * offer.
 */
const HINT = 0.4;

function refusalIn(view: ConversationView, message: ConversationMessage, keywords: PhraseSet): Refused | undefined {
  if (message.role !== 'assistant') return undefined;
  const sentences = view.sentences(message).slice(0, MAX_REFUSAL_SENTENCE);
  const ofModel = sentences.find(
    (sentence) => findPhrase(MODEL_REFUSED, sentence) !== undefined || findPhrase(keywords, sentence) !== undefined,
  );
  if (ofModel !== undefined) return { message, sentence: ofModel, isOfModel: true };
  const sentence = sentences.find((one) => !one.isQuestion && findPhrase(REFUSED, one) !== undefined);
  return sentence === undefined ? undefined : { message, sentence, isOfModel: false };
}

function toOccurrence(
  view: ConversationView,
  userMessage: ConversationMessage,
  { message, sentence, isOfModel }: Refused,
  declinedBefore: number,
): Occurrence {
  const agent = view.agentOf(message);
  const signals: SignalHit[] = [{ name: isOfModel ? 'model_refused' : 'request_declined', strength: 1 }];
  if (declinedBefore > 0) signals.push({ name: 'declined_again', strength: declinedBefore > 1 ? 1 : HINT });
  return {
    signals,
    signature: { names: [agent, isOfModel ? 'model' : 'declined'], text: '' },
    evidence: [
      messageEvidence(message, 'The refusal', `${agent} refuses.`, sentence),
      messageEvidence(userMessage, 'What was asked', 'The request before.'),
    ],
    narrative: {
      title: isOfModel ? `${agent} refuses to answer` : `${agent} declines requests again and again`,
      summary: `Asked "${shorten(userMessage.content, 160)}", the agent said "${shorten(message.content.slice(sentence.start, sentence.end), 200)}".`,
      causeAssessment: isOfModel
        ? 'The model refused by itself: the words of the refusal are its own, and no tool was asked.'
        : 'The agent declined more than once and offered nothing in its place.',
      remediationHint: isOfModel
        ? `Say in the prompt of ${agent} what it is for, with an example of such a request; where the refusal is right, dismiss this Finding.`
        : `Check whether the refusal follows from the instructions; if so, give ${agent} something to offer in its place.`,
    },
  };
}
