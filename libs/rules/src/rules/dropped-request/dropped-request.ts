import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition } from '../../rule.ts';
import { shorten } from '../../text/quote.ts';
import { viewOf, type ConversationView } from '../../view/conversation-view.ts';
import { messageEvidence } from '../support/evidence.ts';
import { brokenPromises, endedAnnouncing, endedUnanswered, partsLeft, type Dropped } from './dropped.ts';

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
      defaultSeverity: 'low',
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
      description:
        'The conversation ended with an open request of the user, or with a step that the agent announced and did not take',
      defaultSeverity: 'high',
      weight: 0.65,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    return [...partsLeft(view), ...brokenPromises(view), ...endedUnanswered(view), ...endedAnnouncing(view)].map(
      (dropped) => toOccurrence(view, dropped),
    );
  },
};

interface Wording {
  readonly signal: string;
  readonly title: (agent: string) => string;
  readonly evidence: string;
  readonly summary: (said: string) => string;
  readonly cause: string;
  readonly remedy: (agent: string) => string;
}

const ANNOUNCED: Omit<Wording, 'signal' | 'title' | 'summary'> = {
  evidence: 'What was announced',
  cause: 'The model ended its turn with the announcement in place of the call.',
  remedy: (agent) =>
    `Let ${agent} call the tool in the same step in which it announces it, and go on by itself where it does not.`,
};
const ASKED: Omit<Wording, 'signal' | 'title' | 'cause'> = {
  evidence: 'What was asked',
  summary: (said) => `"${said}" was never taken up.`,
  remedy: (agent) => `Let ${agent} list what was asked for at the beginning and check the list before it closes.`,
};
const WORDINGS: Readonly<Record<Dropped['kind'], Wording>> = {
  part_not_taken_up: {
    ...ASKED,
    signal: 'part_not_taken_up',
    title: (agent) => `${agent} takes up only a part of what is asked`,
    cause: 'The agent followed one part of the message and did not come back to the rest.',
  },
  promise_not_kept: {
    ...ANNOUNCED,
    signal: 'promise_not_kept',
    title: (agent) => `${agent} announces work and does not do it`,
    summary: (said) => `The agent said "${said}", and nothing followed.`,
  },
  ended_unanswered: {
    ...ASKED,
    signal: 'ended_unanswered',
    title: (agent) => `${agent} leaves the last request unanswered`,
    cause: 'The recording ends with the message of the user.',
  },
  ended_announcing: {
    ...ANNOUNCED,
    signal: 'ended_unanswered',
    title: (agent) => `${agent} ends with an announced step that it does not take`,
    summary: (said) => `The conversation ends with "${said}".`,
  },
};

function toOccurrence(view: ConversationView, { kind, message, range, answer }: Dropped): Occurrence {
  const speaker = message.role === 'assistant' ? message : answer;
  const agent = speaker === undefined ? (view.snapshot.agents[0] ?? 'the agent') : view.agentOf(speaker);
  const said = shorten(message.content.slice(range.start, range.end), 200);
  const wording = WORDINGS[kind];
  return {
    signals: [{ name: wording.signal, strength: 1 }],
    signature: { names: [agent, kind], text: '' },
    evidence: [
      messageEvidence(message, wording.evidence, said, range),
      ...(answer === undefined || answer === message
        ? []
        : [messageEvidence(answer, 'What the agent said next', 'It does not take it up.')]),
    ],
    narrative: {
      title: wording.title(agent),
      summary: wording.summary(said),
      causeAssessment: wording.cause,
      remediationHint: wording.remedy(agent),
    },
  };
}
