import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from '../../rule.ts';
import { viewOf, type ConversationView, type ViewedCall } from '../../view/conversation-view.ts';
import { callEvidence, messageEvidence } from '../support/evidence.ts';

/**
 * Call of a tool that was not offered to the agent.
 *
 * Cluster: the agent and the tool.
 */
export const undeclaredTool: RuleDefinition = {
  ruleId: 'rule_08G6FG9PZHAJ9NQVQ7YZV6Z926',
  ruleKey: 'undeclared_tool',
  name: 'Undeclared tool',
  description: 'The agent called a tool that it was not offered.',
  categoryKey: 'tool_use',
  keywordsMeaning: null,
  signals: [
    {
      name: 'tool_not_offered',
      description: 'The called tool is not among those that were offered to the model',
      defaultSeverity: 'medium',
      weight: 0.7,
    },
    {
      name: 'tool_unknown',
      description: 'The answer to the call says that there is no such tool',
      defaultSeverity: 'medium',
      weight: 0.7,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    const offered = new Set(snapshot.tools.map(({ name }) => name));
    return view.calls.flatMap((call) => {
      const signals = signalsOf(call, offered);
      return signals.length === 0 ? [] : [toOccurrence(view, call, signals)];
    });
  },
};

const NO_SUCH_TOOL =
  /\b(?:unknown|undefined|unsupported|invalid|no such|unregistered|unrecogni[sz]ed)\s(?:tool|function|action|command name)\b|\b(?:tool|function|action)\s(?:named\s)?["'`]?[\w.-]{1,80}["'`]?\s(?:is\s)?(?:not (?:found|defined|available|registered|recogni[sz]ed|a valid)|does ?n[o']t exist|unknown)|\bnot a valid (?:tool|function|action)\b/i;
const HEAD_LENGTH = 600;
/**
 * Strength for a tool that returned a result: it was offered somewhere, to another model or in a call that was not
 * recorded.
 */
const ANSWERED = 0.5;

function signalsOf({ toolName, result, error }: ViewedCall, offered: ReadonlySet<string>): SignalHit[] {
  const signals: SignalHit[] = [];
  const isAnswered = result !== undefined && error === undefined;
  if (offered.size > 0 && !offered.has(toolName)) {
    signals.push({ name: 'tool_not_offered', strength: isAnswered ? ANSWERED : 1 });
  }
  if (error !== undefined && NO_SUCH_TOOL.test(`${error.text} ${result?.content.slice(0, HEAD_LENGTH) ?? ''}`)) {
    signals.push({ name: 'tool_unknown', strength: 1 });
  }
  return signals;
}

function toOccurrence(view: ConversationView, call: ViewedCall, signals: readonly SignalHit[]): Occurrence {
  const agent = view.agentOf(call.callMessage);
  const { toolName, result } = call;
  return {
    signals,
    signature: { names: [agent, toolName], text: '' },
    evidence: [
      callEvidence(call, `${toolName}, which was not offered`),
      ...(result === undefined ? [] : [messageEvidence(result, 'What came back', 'The answer to the call.')]),
    ],
    narrative: {
      title: `${agent} calls ${toolName}, which it was not offered`,
      summary: `${toolName} is not among the tools of this conversation${result === undefined ? ', and nothing answered' : ''}.`,
      causeAssessment: 'The call names a tool that the model was not given in this conversation.',
      remediationHint: `Remove ${toolName} from the prompt and examples of ${agent}, or offer it; answer unknown names with the list of those that exist.`,
    },
  };
}
