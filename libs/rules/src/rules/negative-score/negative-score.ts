import type { ConversationMessage, ConversationSnapshot, Score } from '@clew/contracts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from '../../rule.ts';
import { placedQuoteOf, shorten } from '../../text/quote.ts';
import { meaningOfScores } from '../../conversation/score-meaning.ts';
import { agentOf, hasText } from '../../conversation/turns.ts';

/** Key of the Rule about bad scores. */
export const NEGATIVE_SCORE = 'negative_score';

/**
 * Bad score that a person or an evaluator gave the conversation, of those that count in its project.
 *
 * Cluster: the name of the score and its source.
 */
export const negativeScore: RuleDefinition = {
  ruleId: 'rule_KQK824N04RRS92GXV6P53SRKT0',
  ruleKey: NEGATIVE_SCORE,
  name: 'Negative score',
  description: 'A person or an evaluator gave the conversation a bad score.',
  categoryKey: 'feedback',
  keywordsMeaning: 'Further values that mean that something failed',
  signals: [
    {
      name: 'negative_user_feedback',
      description: 'A person who used it gave a score that means failure',
      defaultSeverity: 'high',
      weight: 0.8,
    },
    {
      name: 'failed_evaluation',
      description: 'An evaluator, or a score sent to the API, means failure',
      defaultSeverity: 'medium',
      weight: 0.7,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  readsWords: false,
  detect(snapshot, configuration) {
    const failing = new Set(configuration.keywords.map((keyword) => keyword.trim().toLowerCase()));
    const meaningOf = meaningOfScores(snapshot, failing);
    return snapshot.scores.flatMap((score) => {
      const message = scoredMessage(snapshot, score);
      return message === undefined || meaningOf(score) !== 'failure' ? [] : [toOccurrence(snapshot, score, message)];
    });
  },
};

/** Returns the last answer in the trace that the score is for; in the whole conversation if it names no trace. */
function scoredMessage(snapshot: ConversationSnapshot, { traceId }: Score): ConversationMessage | undefined {
  const inTrace = snapshot.messages.filter((message) => traceId === undefined || message.traceId === traceId);
  const messages = inTrace.length > 0 ? inTrace : snapshot.messages;
  return messages.findLast((message) => message.role === 'assistant' && hasText(message)) ?? messages.at(-1);
}

function toOccurrence(snapshot: ConversationSnapshot, score: Score, message: ConversationMessage): Occurrence {
  const byUser = score.source === 'user';
  const signals: SignalHit[] = [{ name: byUser ? 'negative_user_feedback' : 'failed_evaluation', strength: 1 }];
  const comment = score.comment === undefined || score.comment === '' ? '' : `: "${shorten(score.comment, 300)}"`;
  return {
    signals,
    signature: { names: [score.name, score.source], text: '' },
    evidence: [
      {
        kind: 'score',
        message,
        title: `${score.name}: ${shorten(String(score.value), 60)}`,
        summary: `Given by ${byUser ? 'a person' : 'an evaluation'}${comment}`,
        quote: placedQuoteOf(message.content),
      },
    ],
    narrative: {
      title: byUser ? `People rate conversations badly: ${score.name}` : `Evaluations fail: ${score.name}`,
      summary: `${score.name} is ${shorten(String(score.value), 60)}${comment}.`,
      causeAssessment: `The score tells that the conversation went wrong, and not where; see the suspects of the conversation with ${agentOf(snapshot, message)}.`,
      remediationHint:
        'Start with the suspects of the conversations in this cluster, and keep the worst of them as examples.',
    },
  };
}
