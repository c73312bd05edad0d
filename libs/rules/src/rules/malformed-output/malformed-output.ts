import type { ConversationMessage } from '@clew/contracts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from '../../rule.ts';
import { placedQuoteOf } from '../../text/quote.ts';
import { viewOf, type ConversationView } from '../../view/conversation-view.ts';
import { finishKind } from '../truncated-output/finish-reasons.ts';
import { structuredText, type StructuredText } from './structured.ts';

/**
 * Output for a program that the program cannot parse.
 *
 * Cluster: the agent and how its output is broken.
 */
export const malformedOutput: RuleDefinition = {
  ruleId: 'rule_3YFVK884KMX1NM79RPMWAPHACX',
  ruleKey: 'malformed_structured_output',
  name: 'Malformed structured output',
  description:
    'An output that is meant to be JSON cannot be read, or leaves the format that the agent keeps otherwise.',
  categoryKey: 'output_quality',
  keywordsMeaning: null,
  signals: [
    {
      name: 'invalid_json',
      description: 'The output, or its JSON block, is not valid JSON',
      defaultSeverity: 'medium',
      weight: 0.75,
    },
    {
      name: 'format_left',
      description: 'The agent answers in JSON everywhere else, and here in words',
      defaultSeverity: 'low',
      weight: 0.55,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    const outputs = view.messages.filter((message) => message.role === 'assistant' && message.content.trim() !== '');
    const read = outputs.map((message) => ({ message, structure: structuredText(message.content) }));
    if (read.every(({ structure }) => structure.kind === 'none')) return [];
    const keepers = agentsInJson(view, read);
    return read.flatMap(({ message, structure }): Occurrence[] => {
      // A truncated output is reported by another Rule.
      if (finishKind(message.finishReason, []) === 'cut_off') return [];
      if (structure.kind === 'broken') return [toOccurrence(view, message, 'invalid_json', structure.at)];
      const leavesFormat = structure.kind === 'none' && keepers.has(view.agentOf(message));
      return leavesFormat && (message.toolCalls ?? []).length === 0
        ? [toOccurrence(view, message, 'format_left', 0)]
        : [];
    });
  },
};

const MIN_IN_FORMAT = 4;
const SHARE_IN_FORMAT = 0.75;

type Read = readonly { readonly message: ConversationMessage; readonly structure: StructuredText }[];

/** Finds agents that nearly always answer in whole JSON documents. */
function agentsInJson(view: ConversationView, read: Read): ReadonlySet<string> {
  const counts = new Map<string, { json: number; all: number }>();
  for (const { message, structure } of read) {
    const agent = view.agentOf(message);
    const count = counts.get(agent) ?? { json: 0, all: 0 };
    counts.set(agent, { json: count.json + (isWhole(message, structure) ? 1 : 0), all: count.all + 1 });
  }
  const isKeeper = ({ json, all }: { json: number; all: number }): boolean =>
    json >= MIN_IN_FORMAT && json / all >= SHARE_IN_FORMAT;
  return new Set([...counts].filter(([, count]) => isKeeper(count)).map(([agent]) => agent));
}

function isWhole(message: ConversationMessage, structure: StructuredText): boolean {
  return structure.kind === 'valid' && /^\s*[{[]/.test(message.content);
}

function toOccurrence(view: ConversationView, message: ConversationMessage, signal: string, at: number): Occurrence {
  const agent = view.agentOf(message);
  const isBroken = signal === 'invalid_json';
  const signals: SignalHit[] = [{ name: signal, strength: 1 }];
  return {
    signals,
    signature: { names: [agent, signal], text: '' },
    evidence: [
      {
        kind: 'message',
        message,
        title: isBroken ? 'JSON that cannot be read' : 'An answer in words',
        summary: isBroken ? 'It is not valid JSON.' : 'The other answers of this agent are JSON.',
        quote: placedQuoteOf(message.content, at),
      },
    ],
    narrative: {
      title: isBroken ? `${agent} writes JSON that cannot be read` : `${agent} leaves its output format`,
      summary: isBroken
        ? 'The output is meant as JSON and is not valid: what reads it will fail.'
        : 'The agent answers in JSON everywhere else in this conversation, and here in words.',
      causeAssessment: isBroken
        ? 'Nothing checked the output before it was passed on.'
        : 'Only this answer differs: the agent can keep the format, and nothing makes it.',
      remediationHint: `Ask for ${agent}'s output with a JSON schema that the model server enforces, and validate and retry before anything reads it.`,
    },
  };
}
