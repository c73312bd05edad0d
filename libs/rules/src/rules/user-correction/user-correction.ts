import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { messageSentences } from '../../conversation/message-sentences.ts';
import { agentOf, hasText, turnsOf, type Turn } from '../../conversation/turns.ts';
import {
  DEFAULT_RULE_CONFIGURATION,
  type EvidenceDraft,
  type Narrative,
  type Occurrence,
  type RuleDefinition,
  type SignalHit,
} from '../../rule.ts';
import { compileKeywords, compilePhrases, findPhrase } from '../../text/phrases.ts';
import { endQuoteOf, quoteOf, shorten } from '../../text/quote.ts';
import { MISTAKE_ADMITTED } from '../../vocabulary/corrections.ts';
import { correctionIn, type Correction } from './correction.ts';

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
    const keywords = compileKeywords(configuration.keywords);
    const turns = turnsOf(snapshot);
    return turns.flatMap((turn, index): Occurrence[] => {
      const previous = turns[index - 1];
      const corrected = previous?.messages.findLast(hasText);
      if (previous === undefined || corrected === undefined || turn.userMessage === undefined) return [];
      const correction = correctionIn(turn.userMessage, corrected, keywords);
      return correction === undefined
        ? []
        : [toOccurrence(snapshot, { previous, corrected, userMessage: turn.userMessage, turn }, correction)];
    });
  },
};

const ADMITTED = compilePhrases(MISTAKE_ADMITTED);
const MAX_ADMISSION_SENTENCE = 3;

interface Scene {
  /** Turn whose answer is corrected. */
  readonly previous: Turn;
  readonly corrected: ConversationMessage;
  readonly userMessage: ConversationMessage;
  /** Turn after the correction. */
  readonly turn: Turn;
}

function toOccurrence(snapshot: ConversationSnapshot, scene: Scene, correction: Correction): Occurrence {
  const { corrected, userMessage, previous, turn } = scene;
  const agent = agentOf(snapshot, corrected);
  const tool = previous.messages.findLast((message) => (message.toolCalls?.length ?? 0) > 0)?.toolCalls?.at(-1)?.name;
  const signals: SignalHit[] = [{ name: correction.signal, strength: correction.strength }];
  const admission = admissionOf(turn);
  if (admission !== undefined) signals.push({ name: 'mistake_admitted', strength: 1 });
  return {
    signals,
    signature: { names: [agent, tool ?? 'no tool'], text: '' },
    evidence: [
      {
        kind: 'message',
        message: userMessage,
        title: 'Correction by the user',
        summary: 'The user corrects the answer before.',
        quote: quoteOf(userMessage.content, correction.start, correction.end),
      },
      {
        kind: 'message',
        message: corrected,
        title: 'The corrected answer',
        summary: tool === undefined ? 'The agent had used no tool for it.' : `The agent had used ${tool} for it.`,
        quote: endQuoteOf(corrected.content, 240),
      },
      ...(admission === undefined ? [] : [admission]),
    ],
    narrative: narrativeOf(agent, tool, userMessage, correction, admission !== undefined),
  };
}

function admissionOf(turn: Turn): EvidenceDraft | undefined {
  const answer = turn.messages.find(hasText);
  if (answer === undefined) return undefined;
  const sentence = messageSentences(answer)
    .slice(0, MAX_ADMISSION_SENTENCE)
    .find((candidate) => findPhrase(ADMITTED, candidate) !== undefined);
  if (sentence === undefined) return undefined;
  return {
    kind: 'message',
    message: answer,
    title: 'The agent admits it',
    summary: 'The next answer takes the correction.',
    quote: quoteOf(answer.content, sentence.start, sentence.end),
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
