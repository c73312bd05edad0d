import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition } from '../../rule.ts';
import { shorten } from '../../text/quote.ts';
import { viewOf, type ConversationView } from '../../view/conversation-view.ts';
import { messageEvidence } from '../support/evidence.ts';
import { contradictionsOf, type Contradiction } from './contradictions.ts';

/**
 * Statement of the agent that contradicts a result it has: another number, another count, not the cheapest.
 *
 * Cluster: the agent, the kind of mistake and its subject.
 */
export const toolResultContradicted: RuleDefinition = {
  ruleId: 'rule_SHXVNMH9CWEBXRBR55BSG25RB3',
  ruleKey: 'tool_result_contradicted',
  name: 'Contradiction of a tool result',
  description: 'The agent states something else than what a tool answered.',
  categoryKey: 'grounding',
  keywordsMeaning: null,
  signals: [
    {
      name: 'number_differs',
      description: 'A number under a name that the results have, but with which no result agrees',
      defaultSeverity: 'low',
      weight: 0.65,
    },
    {
      name: 'count_differs',
      description: 'A count that does not fit the lists in the results',
      defaultSeverity: 'low',
      weight: 0.6,
    },
    {
      name: 'extreme_differs',
      description: 'Something is called the lowest or highest, and the same result has a lower or higher one',
      defaultSeverity: 'low',
      weight: 0.55,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    if (!view.messages.some((message) => message.role === 'tool')) return [];
    return contradictionsOf(view).map((contradiction) => toOccurrence(view, contradiction));
  },
};

function toOccurrence(view: ConversationView, contradiction: Contradiction): Occurrence {
  const { signal, message, sentence, said, label, found, result } = contradiction;
  const agent = view.agentOf(message);
  const inResult = result.content.indexOf(found);
  const range = inResult === -1 ? undefined : { start: Math.max(0, inResult - 80), end: inResult + found.length };
  return {
    signals: [{ name: signal, strength: 1 }],
    signature: { names: [agent, signal, label], text: '' },
    evidence: [
      messageEvidence(message, 'What the agent states', `It says ${said}.`, sentence),
      messageEvidence(result, 'What the tool answered', `The result has ${found} for ${label}.`, range),
    ],
    narrative: {
      title: `${agent} misreads results: ${label}`,
      summary: `The agent said "${shorten(message.content.slice(sentence.start, sentence.end), 200)}", while the result has ${found} for ${label}.`,
      causeAssessment:
        'The agent counted, compared or calculated from a long result in its head, or mixed up two entries of it.',
      remediationHint: `Let tools sort, count and add up what ${agent} is asked for, return less at once, and name each value so that it cannot be taken for another.`,
    },
  };
}
