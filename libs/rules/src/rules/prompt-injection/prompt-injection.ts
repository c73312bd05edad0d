import type { ConversationMessage } from '@clew/contracts';
import { isTelling } from '../../values/value-index.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from '../../rule.ts';
import { viewOf, type ConversationView, type ViewedCall } from '../../view/conversation-view.ts';
import { callEvidence, messageEvidence, type TextRange } from '../support/evidence.ts';

/**
 * Tool result or retrieved text that gives the agent instructions.
 *
 * Cluster: the tool that returned it.
 */
export const promptInjection: RuleDefinition = {
  ruleId: 'rule_PMXMSPHDD1W8DJVBGCSBFB76TZ',
  ruleKey: 'prompt_injection',
  name: 'Prompt injection',
  description:
    'A tool result or a looked-up text holds instructions for the agent, or characters that people do not see.',
  categoryKey: 'safety',
  keywordsMeaning: null,
  signals: [
    {
      name: 'instructions_in_result',
      description: 'A result tells the agent to ignore its instructions, to take another role, or to hide something',
      defaultSeverity: 'high',
      weight: 0.7,
    },
    {
      name: 'hidden_characters',
      description: 'A result holds rows of characters that people do not see and models read',
      defaultSeverity: 'medium',
      weight: 0.55,
    },
    {
      name: 'instructions_followed',
      description: 'A later call uses an address or a name that came with the instructions',
      defaultSeverity: 'critical',
      weight: 0.6,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    const toolOf = new Map(view.exchanges.map(({ result, toolName }) => [result, toolName]));
    return view.messages
      .filter((message) => message.role === 'tool' || message.origin === 'retrieved')
      .flatMap((message) => {
        const found = injectionIn(message.content);
        if (found === undefined) return [];
        return [toOccurrence(view, message, toolOf.get(message) ?? message.name ?? 'a lookup', found)];
      });
  },
};

const INSTRUCTIONS =
  /\b(?:ignore|disregard|forget|override|bypass)\s(?:\w{1,12}\s){0,3}(?:previous|prior|above|earlier|preceding|former|system|original|your|safety)\s(?:\w{1,12}\s){0,2}(?:instruction|prompt|direction|rule|guideline|message|context|command|polic)|\b(?:new|updated|revised|real|hidden|secret)\s(?:system\s)?(?:instructions?|prompt)\s?:|\byou are now (?:in |an? |the |no longer )|\b(?:do not|don't|never|without)\s(?:tell|mention|inform|telling|informing|reveal|notify|notifying|alert)\w*\s(?:\w{1,12}\s){0,2}(?:user|customer|human|anyone)|<\/?(?:system|im_start|instructions?)\b[^>]{0,40}>|\[\/?(?:INST|SYSTEM)\]|\b(?:attention|important|note)\b[:,!]?\s{1,3}(?:(?:to|for) (?:all |any )?)?(?:ai|llm|assistants?|agents?|language models?|bots?)\b|\b(?:if|when) you(?:'re| are) an? (?:ai|llm|language model|assistant|agent)\b|\b(?:reveal|print|output|repeat|leak|exfiltrate|send)\s(?:\w{1,12}\s){0,3}(?:system prompt|api keys?|credentials|conversation history|your instructions)|\b(?:ignoriere|vergiss|missachte)\s(?:\w{1,12}\s){0,3}(?:anweisungen|instruktionen|regeln)|\b(?:ignore[sz]?|oublie[sz]?)\s(?:\w{1,12}\s){0,3}(?:instructions|consignes)|\b(?:ignora|olvida|ignore|esqueça)\s(?:\w{1,12}\s){0,3}(?:instrucciones|instruções)/i;
/**
 * Hidden text: tag characters, and runs of zero-width characters. A single joiner inside an emoji or a word of another
 * script is legitimate.
 */
const HIDDEN = /[\u{E0020}-\u{E007F}]{4,}|[\u200B\u2060\u2062\u2063\u2064\uFEFF]{6,}/u;
const MAX_READ = 100_000;
const REACH = 400;

interface Injection {
  readonly signal: 'instructions_in_result' | 'hidden_characters';
  readonly range: TextRange;
}

function injectionIn(content: string): Injection | undefined {
  const head = content.slice(0, MAX_READ);
  const instructions = INSTRUCTIONS.exec(head);
  if (instructions !== null) {
    const start = instructions.index;
    return { signal: 'instructions_in_result', range: { start, end: start + instructions[0].length + 160 } };
  }
  const hidden = HIDDEN.exec(head);
  if (hidden === null) return undefined;
  const start = Math.max(0, hidden.index - 40);
  return { signal: 'hidden_characters', range: { start, end: hidden.index } };
}

/** Finds the first later call with a value that was new and occurs near the instructions. */
function followedBy(
  view: ConversationView,
  message: ConversationMessage,
  { range }: Injection,
): ViewedCall | undefined {
  const position = view.positionOf(message);
  const brought = view.values
    .introducedInTextAt(position)
    .filter((value) => value.kind !== 'number' && isTelling(value))
    .filter((value) => Math.abs(value.start - range.start) <= REACH)
    .map(({ key }) => key);
  if (brought.length === 0) return undefined;
  return view.calls.find(
    (call) =>
      call.position > position &&
      call.leaves.some(
        ({ value }) => typeof value === 'string' && brought.some((key) => value.toLowerCase().includes(key)),
      ),
  );
}

function toOccurrence(
  view: ConversationView,
  message: ConversationMessage,
  tool: string,
  injection: Injection,
): Occurrence {
  const followed = injection.signal === 'instructions_in_result' ? followedBy(view, message, injection) : undefined;
  const signals: SignalHit[] = [{ name: injection.signal, strength: 1 }];
  if (followed !== undefined) signals.push({ name: 'instructions_followed', strength: 1 });
  return {
    signals,
    signature: { names: [tool, injection.signal], text: '' },
    evidence: [
      messageEvidence(message, `What ${tool} brought in`, 'It speaks to the agent, not to the user.', injection.range),
      ...(followed === undefined ? [] : [callEvidence(followed, 'A call that follows it')]),
    ],
    narrative: {
      title: `Results of ${tool} give instructions to the agent`,
      summary:
        followed === undefined
          ? `A result of ${tool} holds text that is meant to steer the agent.`
          : `A result of ${tool} holds text that is meant to steer the agent, and ${followed.toolName} was called with what it brought.`,
      causeAssessment: `What ${tool} returns is written by others and reaches the model as it is.`,
      remediationHint: `Mark results of ${tool} as data, strip what looks like instructions and unseen characters, and ask the user before a call that acts on them.`,
    },
  };
}
