import type { ConversationMessage } from '@clew/contracts';
import { median } from '../../links/usual.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from '../../rule.ts';
import { viewOf } from '../../view/conversation-view.ts';
import { messageEvidence } from '../support/evidence.ts';

/**
 * Call with many more input or output tokens than the agent's other calls.
 *
 * Cluster: the agent, the model, and which side grew.
 */
export const tokenBlowUp: RuleDefinition = {
  ruleId: 'rule_J2BQWMVAJ1CTA6ZDYJH6TW980E',
  ruleKey: 'token_blow_up',
  name: 'Token blow-up',
  description: "A call used many more tokens than the agent's own usual, or its input grew out of hand.",
  categoryKey: 'performance',
  keywordsMeaning: null,
  signals: [
    {
      name: 'output_against_usual',
      description: "The output of a call is six times the agent's own usual or more, and at least 2,000 tokens",
      defaultSeverity: 'medium',
      weight: 0.6,
    },
    {
      name: 'input_jump',
      description: 'The input of a call is three times that of the call before or more, and at least 20,000 tokens',
      defaultSeverity: 'medium',
      weight: 0.6,
    },
    {
      name: 'input_out_of_hand',
      description: 'The input of a call is 100,000 tokens or more, of which less than half came from a cache',
      defaultSeverity: 'medium',
      weight: 0.55,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  readsWords: false,
  detect(snapshot) {
    const view = viewOf(snapshot);
    const calls = new Map<string, ConversationMessage[]>();
    for (const message of view.messages) {
      if (message.role !== 'assistant' || message.usage === undefined) continue;
      const agent = view.agentOf(message);
      const known = calls.get(agent);
      if (known === undefined) calls.set(agent, [message]);
      else known.push(message);
    }
    return [...calls].flatMap(([agent, messages]) => occurrencesOf(agent, messages));
  },
};

const MIN_CALLS = 5;
const OUTPUT_TIMES_USUAL = 6;
const MIN_OUTPUT = 2000;
const INPUT_TIMES_BEFORE = 3;
const MIN_INPUT = 20_000;
const OUT_OF_HAND = 100_000;

function occurrencesOf(agent: string, messages: readonly ConversationMessage[]): Occurrence[] {
  const outputs = messages.flatMap(({ usage }) => usage?.outputTokens ?? []);
  const usualOutput = outputs.length >= MIN_CALLS ? median(outputs) : undefined;
  let isOutOfHand = false;
  return messages.flatMap((message, index): Occurrence[] => {
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0 } = message.usage ?? {};
    const before = messages[index - 1]?.usage?.inputTokens;
    const found: Occurrence[] = [];
    if (usualOutput !== undefined && outputTokens >= Math.max(MIN_OUTPUT, OUTPUT_TIMES_USUAL * usualOutput)) {
      found.push(toOccurrence(agent, message, 'output_against_usual', outputTokens, usualOutput));
    }
    if (before !== undefined && inputTokens >= Math.max(MIN_INPUT, INPUT_TIMES_BEFORE * before)) {
      found.push(toOccurrence(agent, message, 'input_jump', inputTokens, before));
    }
    // The input stays too large to the end of the conversation, so it is reported once.
    if (!isOutOfHand && inputTokens >= OUT_OF_HAND && cacheReadTokens < inputTokens / 2) {
      isOutOfHand = true;
      found.push(toOccurrence(agent, message, 'input_out_of_hand', inputTokens, before ?? 0));
    }
    return found;
  });
}

function toOccurrence(
  agent: string,
  message: ConversationMessage,
  signal: string,
  tokens: number,
  compared: number,
): Occurrence {
  const side = signal === 'output_against_usual' ? 'output' : 'input';
  const signals: SignalHit[] = [{ name: signal, strength: 1 }];
  const usual = side === 'output' ? `usually ${Math.round(compared)}` : `${compared} before`;
  return {
    signals,
    signature: { names: [agent, message.model ?? '', signal], text: '' },
    evidence: [messageEvidence(message, `A call with a large ${side}`, `${tokens} tokens of ${side}.`)],
    narrative: {
      title: `${agent} uses far more ${side} tokens than usual`,
      summary: `A call had ${tokens} tokens of ${side}, ${usual}.`,
      causeAssessment:
        side === 'input'
          ? 'The messages before this call hold the tokens: see the longest of them.'
          : 'The model wrote them in this one call: see what the output consists of.',
      remediationHint:
        side === 'input'
          ? `Cut or summarise large results before they reach ${agent}, and bound its history.`
          : `Set an output limit for ${agent}, and look at what the long output consists of.`,
    },
  };
}
