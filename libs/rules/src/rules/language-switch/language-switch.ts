import type { ConversationMessage } from '@clew/contracts';
import { hasText } from '../../conversation/turns.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition } from '../../rule.ts';
import { viewOf, type ConversationView } from '../../view/conversation-view.ts';
import { languageOf } from '../../vocabulary/language.ts';
import { messageEvidence } from '../support/evidence.ts';

/**
 * Answer of the agent in another language than the user's.
 *
 * Cluster: the agent and the two languages.
 */
export const languageSwitch: RuleDefinition = {
  ruleId: 'rule_EYVDBRHVBXB01V1S46SBEA5ZKW',
  ruleKey: 'language_switch',
  name: 'Language switch',
  description: 'The agent answers in another language than the user writes in, unasked.',
  categoryKey: 'output_quality',
  keywordsMeaning: null,
  signals: [
    {
      name: 'answered_in_other_language',
      description: 'The answer to the user is in another language than the words of the user',
      defaultSeverity: 'medium',
      weight: 0.75,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    if (view.messages.some((message) => message.role === 'system' && ASKS_FOR_LANGUAGE.test(message.content)))
      return [];
    if (view.userMessages.some((message) => ASKS_FOR_LANGUAGE.test(message.content.slice(0, HEAD_LENGTH)))) return [];
    return view.turns.flatMap(({ userMessage, messages }) => {
      const answer = messages.findLast((message) => message.role === 'assistant' && hasText(message));
      if (userMessage === undefined || answer === undefined) return [];
      const asked = languageOf(userMessage.content);
      const answered = asked === undefined ? undefined : languageOf(answer.content);
      if (asked === undefined || answered === undefined || asked === answered) return [];
      return [toOccurrence(view, userMessage, answer, asked, answered)];
    });
  },
};

const HEAD_LENGTH = 4000;
/** Mentions of a language: it was asked for, or is the subject of the conversation. */
const ASKS_FOR_LANGUAGE =
  /\b(?:translat\w*|übersetz\w*|uebersetz\w*|tradu\w*|(?:in|into|auf|ins|en|em|al|au|to|speak|learn|write) (?:english|german|french|spanish|portuguese|italian|dutch|polish|russian|chinese|japanese|korean|arabic|hindi|turkish|englisch|deutsch|französisch|spanisch|portugiesisch|italienisch|anglais|allemand|français|espagnol|portugais|italien|ingl[eé]s|alem[aá]n|franc[eé]s|español|portugu[eê]s|italiano|alemão|espanhol)|(?:always|only) (?:answer|respond|reply|write) in)\b/i;

function toOccurrence(
  view: ConversationView,
  userMessage: ConversationMessage,
  answer: ConversationMessage,
  asked: string,
  answered: string,
): Occurrence {
  const agent = view.agentOf(answer);
  return {
    signals: [{ name: 'answered_in_other_language', strength: 1 }],
    signature: { names: [agent, asked, answered], text: '' },
    evidence: [
      messageEvidence(answer, 'The answer', `Its language: ${answered}.`),
      messageEvidence(userMessage, 'What the user wrote', `Its language: ${asked}.`),
    ],
    narrative: {
      title: `${agent} answers in another language (${asked} to ${answered})`,
      summary: `The user writes in ${asked}, and the answer is in ${answered}.`,
      causeAssessment: 'Nobody asked for another language in this conversation.',
      remediationHint: `Say in the prompt of ${agent} that it answers in the language of the user's last message.`,
    },
  };
}
