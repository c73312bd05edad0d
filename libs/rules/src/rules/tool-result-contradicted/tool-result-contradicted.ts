import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition } from '../../rule.ts';
import { shorten } from '../../text/quote.ts';
import { viewOf, type ConversationView } from '../../view/conversation-view.ts';
import { messageEvidence } from '../support/evidence.ts';
import type { Contradiction } from './contradiction.ts';
import { contradictionsOf } from './contradictions.ts';

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
    {
      name: 'amount_moved_differs',
      description: 'An amount is said to have been moved, and the change that was made moved another',
      defaultSeverity: 'medium',
      weight: 0.65,
    },
    {
      name: 'flag_count_differs',
      description: 'A count of records with a property, where another number of them has it',
      defaultSeverity: 'medium',
      weight: 0.6,
    },
    {
      name: 'list_not_read_to_end',
      description: 'As many things are counted as were looked at, and the list of them is longer',
      defaultSeverity: 'medium',
      weight: 0.6,
    },
    {
      name: 'part_taken_for_whole',
      description: 'A count or an absence after a result that says that there is more, which was not fetched',
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

interface Wording {
  readonly title: (agent: string, label: string) => string;
  readonly fact: (found: string, label: string) => string;
}

const VALUE = (found: string, label: string): string => `the result has ${found} for ${label}`;
const WORDINGS: Readonly<Record<Contradiction['signal'], Wording>> = {
  number_differs: { title: (agent, label) => `${agent} states another ${label} than the tool answered`, fact: VALUE },
  count_differs: {
    title: (agent, label) => `${agent} counts another number of ${label} than the tool listed`,
    fact: VALUE,
  },
  extreme_differs: {
    title: (agent, label) => `${agent} calls a ${label} the lowest or highest that is not`,
    fact: VALUE,
  },
  amount_moved_differs: {
    title: (agent, label) => `${agent} tells another amount than ${label} moved`,
    fact: (found, label) => `the result of ${label} has ${found}`,
  },
  flag_count_differs: {
    title: (agent, label) => `${agent} counts another number of records that are ${label} than the tool listed`,
    fact: (found, label) => `${found} records of the result are ${label}`,
  },
  list_not_read_to_end: {
    title: (agent, label) => `${agent} counts only each ${label} that it looked at, and the list is longer`,
    fact: (found) => `the list has ${found}`,
  },
  part_taken_for_whole: {
    title: (agent, label) => `${agent} takes a part of what ${label} has for all of it`,
    fact: (found, label) => `the result of ${label} says that there is more: ${found}`,
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
      messageEvidence(result, 'What the tool answered', capitalised(`${WORDINGS[signal].fact(found, label)}.`), range),
    ],
    narrative: {
      title: WORDINGS[signal].title(agent, label),
      summary: `The agent said "${shorten(message.content.slice(sentence.start, sentence.end), 200)}", while ${WORDINGS[signal].fact(found, label)}.`,
      causeAssessment: 'The result was there before the agent spoke, and says something else.',
      remediationHint: `Let tools sort, count and add up what ${agent} is asked for, return less at once, and name each value so that it cannot be taken for another.`,
    },
  };
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
