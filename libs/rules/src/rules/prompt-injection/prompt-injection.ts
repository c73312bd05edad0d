import type { ConversationMessage } from '@clew/contracts';
import { followedBy, injectionIn, type Injection } from '../../links/planted-instructions.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from '../../rule.ts';
import { viewOf, type ConversationView } from '../../view/conversation-view.ts';
import { callEvidence, messageEvidence } from '../support/evidence.ts';

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
      defaultSeverity: 'low',
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
      description:
        'A later call uses an address, a name or an id that came with the instructions and from nowhere else, or the tool that they name',
      defaultSeverity: 'high',
      weight: 0.6,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    const toolOf = new Map(view.exchanges.map(({ result, toolName }) => [result, toolName]));
    const seen = new Set<string>();
    return view.messages
      .filter((message) => message.role === 'tool' || message.origin === 'retrieved')
      .flatMap((message) => {
        const found = injectionIn(message);
        if (found === undefined) return [];
        // The same text from another tool is the same attempt.
        const text = message.content.slice(found.range.start, found.range.end);
        if (seen.has(text)) return [];
        seen.add(text);
        return [toOccurrence(view, message, toolOf.get(message) ?? message.name ?? 'a lookup', found)];
      });
  },
};

function toOccurrence(
  view: ConversationView,
  message: ConversationMessage,
  tool: string,
  injection: Injection,
): Occurrence {
  const followed = injection.signal === 'instructions_in_result' ? followedBy(view, message, injection) : undefined;
  const agent = view.snapshot.agents[0] ?? 'the agent';
  const signals: SignalHit[] = [{ name: injection.signal, strength: 1 }];
  if (followed !== undefined) signals.push({ name: 'instructions_followed', strength: 1 });
  return {
    signals,
    signature: { names: [tool, injection.signal, ...(followed === undefined ? [] : [followed.toolName])], text: '' },
    evidence: [
      messageEvidence(message, `A result of ${tool}`, 'It gives instructions to its reader.', injection.range),
      ...(followed === undefined ? [] : [callEvidence(followed, `${followed.toolName}, as these instructions say`)]),
    ],
    narrative: {
      title:
        followed === undefined
          ? `${tool} returns instructions to ${agent}, which does not follow them`
          : `${agent} follows instructions that ${tool} returned, and calls ${followed.toolName}`,
      summary:
        followed === undefined
          ? `A result of ${tool} contains instructions to its reader. No later call has a value from them or the tool that they name.`
          : `A result of ${tool} contains instructions to its reader, and ${followed.toolName} was called with what only they contain.`,
      causeAssessment: `The result of ${tool} reached the model together with what the user had asked for.`,
      remediationHint: `Mark results of ${tool} as data, strip what looks like instructions and unseen characters, and ask the user before a call that acts on them.`,
    },
  };
}
