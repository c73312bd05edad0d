import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { agentOf } from '../../conversation/turns.ts';
import {
  DEFAULT_RULE_CONFIGURATION,
  type EvidenceDraft,
  type Narrative,
  type Occurrence,
  type RuleDefinition,
} from '../../rule.ts';
import { occurrenceScore } from '../../scoring.ts';
import { compileKeywords } from '../../text/phrases.ts';
import { endQuoteOf, placedQuoteOf, shorten } from '../../text/quote.ts';
import { correctedAnswersIn, type CorrectedAnswer } from './corrected-answers.ts';
import type { Correction } from './correction.ts';

/**
 * Correction by the user: something that the agent said or did is wrong.
 *
 * Cluster: the agent, and the tool it used last before the corrected answer (none: it spoke from the model alone). The
 * user's words differ in every conversation; a fix has to look at the source of the wrong answer.
 */
export const userCorrection: RuleDefinition = {
  ruleId: 'rule_PSR48XZ19HYVMESGHCQSM2JWEB',
  ruleKey: 'user_correction',
  name: 'User correction',
  description: 'The user says that an answer of the agent is wrong, or not what was asked.',
  categoryKey: 'answer_correctness',
  keywordsMeaning: 'Further phrases with which users say that an answer is wrong',
  signals: [
    {
      name: 'answer_called_wrong',
      description: 'The user says that what the agent said or did is wrong',
      defaultSeverity: 'medium',
      weight: 0.75,
    },
    {
      name: 'request_misunderstood',
      description: 'The user says that the agent did not do or answer what was asked',
      defaultSeverity: 'medium',
      weight: 0.75,
    },
    {
      name: 'request_restated',
      description: 'The user says again what was meant, against what the agent made of it',
      defaultSeverity: 'low',
      weight: 0.6,
    },
    {
      name: 'mistake_admitted',
      description: 'The agent admits the mistake in its next answer',
      defaultSeverity: 'low',
      weight: 0.35,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot, configuration) {
    const corrected = correctedAnswersIn(snapshot, compileKeywords(configuration.keywords));
    return corrected.map((answer) => toOccurrence(snapshot, answer));
  },
};

/** Answer of an agent, and the message in which the user corrects it. */
export interface UserCorrection {
  readonly corrected: ConversationMessage;
  /** Messages of agents and tools since the user spoke before, up to the correction. */
  readonly turn: readonly ConversationMessage[];
  readonly correction: ConversationMessage;
}

/** Finds the corrections by the user that are clear enough for a Detection at default settings, in order. */
export function userCorrectionsIn(snapshot: ConversationSnapshot): UserCorrection[] {
  const { minSignalScore } = DEFAULT_RULE_CONFIGURATION;
  return correctedAnswersIn(snapshot, compileKeywords([]))
    .filter(({ signals }) => occurrenceScore(userCorrection.signals, signals) >= minSignalScore)
    .map(({ corrected, previous, userMessage }) => ({
      corrected,
      turn: previous.messages,
      correction: userMessage,
    }));
}

function toOccurrence(snapshot: ConversationSnapshot, answer: CorrectedAnswer): Occurrence {
  const { corrected, userMessage, previous, correction, admission, signals } = answer;
  const agent = agentOf(snapshot, corrected);
  const tool = previous.messages.findLast((message) => (message.toolCalls?.length ?? 0) > 0)?.toolCalls?.at(-1)?.name;
  return {
    signals,
    signature: { names: [agent, tool ?? 'no tool'], text: '' },
    evidence: [
      {
        kind: 'message',
        message: userMessage,
        title: 'Correction by the user',
        summary: 'The user corrects the answer before.',
        quote: placedQuoteOf(userMessage.content, correction.start, correction.end),
      },
      {
        kind: 'message',
        message: corrected,
        title: 'The corrected answer',
        summary: tool === undefined ? 'The agent had used no tool for it.' : `The agent had used ${tool} for it.`,
        quote: endQuoteOf(corrected.content, 240),
      },
      ...(admission === undefined ? [] : [admissionEvidence(admission)]),
    ],
    narrative: narrativeOf(agent, tool, userMessage, correction, admission !== undefined),
  };
}

function admissionEvidence({ message, sentence }: NonNullable<CorrectedAnswer['admission']>): EvidenceDraft {
  return {
    kind: 'message',
    message,
    title: 'The agent admits it',
    summary: 'The next answer takes the correction.',
    quote: placedQuoteOf(message.content, sentence.start, sentence.end),
  };
}

function narrativeOf(
  agent: string,
  tool: string | undefined,
  userMessage: ConversationMessage,
  correction: Correction,
  admitted: boolean,
): Narrative {
  const said = shorten(userMessage.content.slice(correction.start, correction.end), 200);
  return {
    title:
      tool === undefined
        ? `Users correct answers of ${agent}`
        : `Users correct answers of ${agent} that rest on ${tool}`,
    summary: `The user wrote: "${said}".${admitted ? ' The agent admitted the mistake.' : ''}`,
    causeAssessment:
      tool === undefined
        ? 'The agent had called no tool before the answer that was corrected.'
        : `The last thing that the agent had looked at before the answer was the result of ${tool}.`,
    remediationHint:
      tool === undefined
        ? `Let ${agent} look up what it states, or ask back where a request can mean several things; keep this exchange as an example.`
        : `Compare what was asked with the arguments of ${tool} and with its result in the evidence, and make the tool's description say when to use it; keep this exchange as an example.`,
  };
}
