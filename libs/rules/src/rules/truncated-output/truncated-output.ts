import type { ConversationMessage, ConversationSnapshot, RuleConfiguration } from '@clew/contracts';
import { messageSentences } from '../../conversation/message-sentences.ts';
import { toolCharacter } from '../../conversation/tool-names.ts';
import { agentOf, turnsOf, type Turn } from '../../conversation/turns.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from '../../rule.ts';
import { compilePhrases, findPhrase } from '../../text/phrases.ts';
import { endQuoteOf } from '../../text/quote.ts';
import { finishKind } from './finish-reasons.ts';
import { narrativeOf, type Ending } from './narrative.ts';
import { endsMidSentence, hasOpenCodeFence, isCutJson } from './unfinished-text.ts';

/**
 * Output of the agent that was cut off, filtered away, or empty.
 *
 * Cluster: the agent and how the output ended. Its fix (a limit, a prompt, a filter setting) is made per agent.
 */
export const truncatedOutput: RuleDefinition = {
  ruleId: 'rule_VQY27ZX7ES76P8MNFF64NQ4RRB',
  ruleKey: 'truncated_or_empty_output',
  name: 'Truncated or empty output',
  description: 'An output of the agent hit its length limit, was removed by a content filter, or was empty.',
  categoryKey: 'output_quality',
  keywordsMeaning: 'Further finish reasons that mean that the output was cut off',
  signals: [
    {
      name: 'output_cut_off',
      description: 'The model stopped at its output limit (finish reason length, max_tokens and the like)',
      defaultSeverity: 'medium',
      weight: 0.85,
    },
    {
      name: 'output_filtered',
      description: 'A content filter stopped or removed the output',
      defaultSeverity: 'medium',
      weight: 0.8,
    },
    {
      name: 'empty_output',
      description: 'The agent ended its turn with an empty message',
      defaultSeverity: 'medium',
      weight: 0.8,
    },
    {
      name: 'ends_mid_sentence',
      description: 'The text ends in the middle of a sentence',
      defaultSeverity: 'low',
      weight: 0.35,
    },
    {
      name: 'unclosed_structure',
      description: 'A code block or a JSON document in the output is not closed',
      defaultSeverity: 'low',
      weight: 0.45,
    },
    {
      name: 'continuation_requested',
      description: 'The user asked the agent to go on, or said that the answer was cut off or missing',
      defaultSeverity: 'low',
      weight: 0.4,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot, configuration) {
    const turns = turnsOf(snapshot);
    return turns.flatMap((turn, index) => occurrencesIn(snapshot, configuration, turn, turns[index + 1]?.userMessage));
  },
};

const CONTINUATION = compilePhrases([
  '(continue|go on|keep going|carry on|finish it|please finish|and then what|the rest)',
  '(cut off|got cut|cuts off|was cut|incomplete|truncated|stopped (in the middle|halfway|mid)|where is the rest|empty (message|reply|response|answer))',
  '(hello|are you (there|still there)|did you (get|see) (that|my message)|no (answer|reply|response)|nothing (came|arrived|shows))',
  '(weiter|mach weiter|abgeschnitten|abgebrochen|unvollstandig|bist du noch da|hallo)',
  '(continue|continuez|la suite|coupe|incomplet|incomplete|allo)',
  '(continua|continue|sigue|cortado|se corto|incompleto|incompleta|hola|ola)',
]);
const MAX_CONTINUATION_WORDS = 14;

function occurrencesIn(
  snapshot: ConversationSnapshot,
  configuration: RuleConfiguration,
  turn: Turn,
  nextUserMessage: ConversationMessage | undefined,
): Occurrence[] {
  const outputs = turn.messages.filter((message) => message.role === 'assistant');
  const contentIsRecorded = turn.userMessage === undefined || turn.userMessage.content.trim() !== '';
  return outputs.flatMap((message, index): Occurrence[] => {
    const isLast = index === outputs.length - 1;
    const ending = endingOf(message, isLast, outputs[index - 1], contentIsRecorded, configuration);
    if (ending === undefined) return [];
    const signals = [...ending.signals];
    if (isLast && nextUserMessage !== undefined && asksToContinue(nextUserMessage)) {
      signals.push({ name: 'continuation_requested', strength: 1 });
    }
    return [toOccurrence(snapshot, message, ending.ending, signals)];
  });
}

/** Returns how an output ended; undefined if it ended properly. */
function endingOf(
  message: ConversationMessage,
  isLast: boolean,
  previous: ConversationMessage | undefined,
  contentIsRecorded: boolean,
  { keywords }: RuleConfiguration,
): { ending: Ending; signals: readonly SignalHit[] } | undefined {
  const finish = finishKind(message.finishReason, keywords);
  if (finish === 'cut_off') return { ending: 'cut_off', signals: [{ name: 'output_cut_off', strength: 1 }] };
  if (finish === 'filtered') return { ending: 'filtered', signals: [{ name: 'output_filtered', strength: 1 }] };
  if (isEmpty(message)) {
    // An empty step that the agent recovers from never reaches the user. If the user's text is not recorded either, the
    // answer was probably not empty.
    if (!isLast || hasAnsweredByTool(previous) || !contentIsRecorded) return undefined;
    return { ending: 'empty', signals: [{ name: 'empty_output', strength: 1 }] };
  }
  if (!isLast || (message.toolCalls?.length ?? 0) > 0) return undefined;
  // A model that reports a normal stop may still have left its text incomplete, but seldom.
  const strength = finish === 'complete' ? 0.5 : 1;
  if (hasOpenCodeFence(message.content) || isCutJson(message.content)) {
    return { ending: 'unfinished', signals: [{ name: 'unclosed_structure', strength }] };
  }
  if (!endsMidSentence(message.content)) return undefined;
  return { ending: 'unfinished', signals: [{ name: 'ends_mid_sentence', strength }] };
}

function isEmpty(message: ConversationMessage): boolean {
  const hasParts = (message.toolCalls?.length ?? 0) > 0 || (message.attachments?.length ?? 0) > 0;
  return !hasParts && message.content.trim() === '';
}

/**
 * Tells whether the message before handed the conversation over, or spoke to the user through a tool, so that nothing
 * is left to say.
 */
function hasAnsweredByTool(previous: ConversationMessage | undefined): boolean {
  return (previous?.toolCalls ?? []).some((call) => {
    const character = toolCharacter(call.name);
    return character.answers || character.handsOver;
  });
}

function asksToContinue(message: ConversationMessage): boolean {
  const sentences = messageSentences(message);
  const wordCount = sentences.reduce((count, sentence) => count + sentence.tokens.length, 0);
  return (
    wordCount <= MAX_CONTINUATION_WORDS &&
    sentences.some((sentence) => findPhrase(CONTINUATION, sentence) !== undefined)
  );
}

function toOccurrence(
  snapshot: ConversationSnapshot,
  message: ConversationMessage,
  ending: Ending,
  signals: readonly SignalHit[],
): Occurrence {
  const agent = agentOf(snapshot, message);
  const narrative = narrativeOf(ending, agent, message);
  return {
    signals,
    signature: { names: [agent, ending], text: '' },
    evidence: [
      {
        kind: 'message',
        message,
        title: narrative.evidenceTitle,
        summary:
          message.finishReason === undefined
            ? 'No finish reason was recorded.'
            : `Finish reason: ${message.finishReason}`,
        quote: endQuoteOf(message.content),
      },
    ],
    narrative: narrative.texts,
  };
}
