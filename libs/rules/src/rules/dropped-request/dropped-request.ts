import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition } from '../../rule.ts';
import { shorten } from '../../text/quote.ts';
import { viewOf, type ConversationView } from '../../view/conversation-view.ts';
import { messageEvidence } from '../support/evidence.ts';
import { brokenPromises, endedUnanswered, partsLeft, type Dropped } from './dropped.ts';

/**
 * Request that was not taken up: a part of several, a promise of the agent, or the user's last message.
 *
 * Cluster: the agent and how the request was lost.
 */
export const droppedRequest: RuleDefinition = {
  ruleId: 'rule_4N2PJSWAPZZ03X69CQW506SMX7',
  ruleKey: 'dropped_request',
  name: 'Dropped request',
  description: 'A request of the user, or a part of it, was never taken up, and the agent did not say why.',
  categoryKey: 'task_completion',
  keywordsMeaning: null,
  signals: [
    {
      name: 'part_not_taken_up',
      description: 'The user asked for several things, and nothing that the agent said or called names one of them',
      defaultSeverity: 'medium',
      weight: 0.6,
    },
    {
      name: 'promise_not_kept',
      description: 'The agent said that it would do something now, and did not',
      defaultSeverity: 'medium',
      weight: 0.65,
    },
    {
      name: 'ended_unanswered',
      description: 'The conversation ended with a request of the user that nobody answered',
      defaultSeverity: 'medium',
      weight: 0.65,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    return [...partsLeft(view), ...brokenPromises(view), ...endedUnanswered(view)].map((dropped) =>
      toOccurrence(view, dropped),
    );
  },
};

const TITLES: Readonly<Record<Dropped['signal'], (agent: string) => string>> = {
  part_not_taken_up: (agent) => `${agent} takes up only a part of what is asked`,
  promise_not_kept: (agent) => `${agent} announces work and does not do it`,
  ended_unanswered: (agent) => `${agent} leaves the last request unanswered`,
};

function toOccurrence(view: ConversationView, { signal, message, range, answer }: Dropped): Occurrence {
  const speaker = message.role === 'assistant' ? message : answer;
  const agent = speaker === undefined ? (view.snapshot.agents[0] ?? 'the agent') : view.agentOf(speaker);
  const said = shorten(message.content.slice(range.start, range.end), 200);
  return {
    signals: [{ name: signal, strength: 1 }],
    signature: { names: [agent, signal], text: '' },
    evidence: [
      messageEvidence(message, signal === 'promise_not_kept' ? 'What was announced' : 'What was asked', said, range),
      ...(answer === undefined || answer === message
        ? []
        : [messageEvidence(answer, 'What the agent said next', 'It does not take it up.')]),
    ],
    narrative: {
      title: TITLES[signal](agent),
      summary:
        signal === 'promise_not_kept'
          ? `The agent said "${said}", and nothing followed.`
          : `"${said}" was never taken up.`,
      causeAssessment:
        signal === 'promise_not_kept'
          ? 'The model ended its turn with the announcement in place of the call.'
          : 'The agent followed one part of the message and did not come back to the rest.',
      remediationHint:
        signal === 'promise_not_kept'
          ? `Let ${agent} call the tool in the same step in which it announces it, and go on by itself where it does not.`
          : `Let ${agent} list what was asked for at the beginning and check the list before it closes.`,
    },
  };
}
