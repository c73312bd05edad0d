import type { ConversationMessage } from '@clew/contracts';
import { median } from '../../links/usual.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from '../../rule.ts';
import { viewOf, type ConversationView } from '../../view/conversation-view.ts';
import { messageEvidence } from '../support/evidence.ts';

/**
 * Call of a model or a tool that took much longer than others of its kind in the conversation, or very long.
 *
 * Cluster: the agent or the tool, and the model.
 */
export const latencyOutlier: RuleDefinition = {
  ruleId: 'rule_MQWYPNH901AWBT7HV7MZZ4BZ8A',
  ruleKey: 'latency_outlier',
  name: 'Latency outlier',
  description: "A call took much longer than the agent's or the tool's own usual, or longer than people wait.",
  categoryKey: 'performance',
  keywordsMeaning: null,
  signals: [
    {
      name: 'slow_against_usual',
      description: "A call of the model took five times the agent's own usual or more, and at least ten seconds",
      defaultSeverity: 'medium',
      weight: 0.65,
    },
    {
      name: 'very_slow',
      description: 'A call of the model took a minute or more',
      defaultSeverity: 'medium',
      weight: 0.6,
    },
    {
      name: 'slow_tool',
      description: 'A tool took five times its own usual or more and at least ten seconds, or half a minute',
      defaultSeverity: 'low',
      weight: 0.55,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  readsWords: false,
  detect(snapshot) {
    const view = viewOf(snapshot);
    const timed = view.messages.filter(isTimed);
    if (timed.length === 0) return [];
    const nameOf = new Map(view.exchanges.map(({ result, toolName }) => [result, toolName]));
    const kindOf = (message: ConversationMessage): string =>
      message.role === 'tool' ? `tool ${nameOf.get(message) ?? message.name ?? ''}` : `agent ${view.agentOf(message)}`;
    const usual = usualOf(timed, kindOf);
    return timed.flatMap((message) => {
      const signals = signalsOf(message, usual.get(kindOf(message)));
      return signals.length === 0 ? [] : [toOccurrence(view, message, kindOf(message), signals)];
    });
  },
};

type Timed = ConversationMessage & { readonly durationMs: number };

const MIN_CALLS = 5;
const TIMES_USUAL = 5;
const NOTICEABLE_MS = 10_000;
const VERY_SLOW_MS = 60_000;
const SLOW_TOOL_MS = 30_000;

function isTimed(message: ConversationMessage): message is Timed {
  return message.durationMs !== undefined && (message.role === 'assistant' || message.role === 'tool');
}

/** Median duration of each kind of call that occurs often enough to have a usual duration. */
function usualOf(timed: readonly Timed[], kindOf: (message: Timed) => string): Map<string, number> {
  const durations = new Map<string, number[]>();
  for (const message of timed) {
    const known = durations.get(kindOf(message));
    if (known === undefined) durations.set(kindOf(message), [message.durationMs]);
    else known.push(message.durationMs);
  }
  return new Map([...durations].filter(([, all]) => all.length >= MIN_CALLS).map(([kind, all]) => [kind, median(all)]));
}

function signalsOf({ role, durationMs }: Timed, usualMs: number | undefined): SignalHit[] {
  const isOutlier = usualMs !== undefined && durationMs >= NOTICEABLE_MS && durationMs >= TIMES_USUAL * usualMs;
  if (role === 'tool') {
    // A tool that is usually slow is not an outlier.
    const isSlow = durationMs >= SLOW_TOOL_MS && (usualMs === undefined || durationMs > 2 * usualMs);
    return isOutlier || isSlow ? [{ name: 'slow_tool', strength: 1 }] : [];
  }
  return [
    ...(isOutlier ? [{ name: 'slow_against_usual', strength: 1 }] : []),
    ...(durationMs >= VERY_SLOW_MS ? [{ name: 'very_slow', strength: 1 }] : []),
  ];
}

function toOccurrence(view: ConversationView, message: Timed, kind: string, signals: readonly SignalHit[]): Occurrence {
  const isTool = message.role === 'tool';
  const name = isTool ? kind.slice('tool '.length) : view.agentOf(message);
  const seconds = (message.durationMs / 1000).toFixed(1);
  return {
    signals,
    signature: { names: [kind, message.model ?? ''], text: '' },
    evidence: [messageEvidence(message, 'The slow call', `It took ${seconds} s.`)],
    narrative: {
      title: `${name} is slow${message.model === undefined ? '' : ` with ${message.model}`}`,
      summary: `A call of ${name} took ${seconds} seconds.`,
      causeAssessment: isTool
        ? 'The time passed within this one call of the tool.'
        : 'The time passed within this one call of the model.',
      remediationHint: isTool
        ? `Set a deadline for ${name}, and look at what it waited for at that time.`
        : `Compare the tokens of this call with the others of ${name}; stream the answer, and set a deadline with a fallback.`,
    },
  };
}
