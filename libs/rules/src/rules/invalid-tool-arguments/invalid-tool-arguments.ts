import type { ToolDefinition } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import { agreementBefore, isChange } from '../../judgement/changes.ts';
import { parseJson } from '../../values/json-leaves.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from '../../rule.ts';
import { shorten } from '../../text/quote.ts';
import { viewOf, type ConversationView, type ViewedCall } from '../../view/conversation-view.ts';
import { callEvidence, messageEvidence } from '../support/evidence.ts';
import { PASSING_CLASSES } from '../tool-error-unhandled/tool-error.ts';
import { schemaBreaches, type SchemaBreach } from './check-schema.ts';

/**
 * Call whose arguments the tool cannot take: not JSON, against its schema, or rejected by the tool.
 *
 * Cluster: the tool, the kind of error, and the parameter.
 */
export const invalidToolArguments: RuleDefinition = {
  ruleId: 'rule_7Q21DVYW3QM6M4BFHAYZGWTQK2',
  ruleKey: 'invalid_tool_arguments',
  name: 'Invalid tool arguments',
  description: 'The arguments of a tool call are no JSON, do not fit the schema of the tool, or were refused by it.',
  categoryKey: 'tool_use',
  keywordsMeaning: null,
  signals: [
    {
      name: 'arguments_not_json',
      description: 'The arguments cannot be read as JSON',
      defaultSeverity: 'medium',
      weight: 0.8,
    },
    {
      name: 'schema_not_met',
      description: 'A parameter is missing, unknown, of another type, or not among the allowed values',
      defaultSeverity: 'medium',
      weight: 0.7,
    },
    {
      name: 'agreed_change_refused',
      description: 'The tool refused a change that the agent had offered and the user had agreed to',
      defaultSeverity: 'high',
      weight: 0.6,
    },
    {
      name: 'refused_by_tool',
      description: 'The tool answered that the arguments are not valid',
      defaultSeverity: 'low',
      weight: 0.4,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    const definitions = new Map(snapshot.tools.map((tool) => [tool.name, tool]));
    return view.calls.flatMap((call) => {
      const problem = problemOf(view, call, definitions.get(call.toolName));
      return problem === undefined ? [] : [toOccurrence(view, call, problem)];
    });
  },
};

interface Problem {
  readonly signals: readonly SignalHit[];
  readonly kind: string;
  readonly parameter: string;
  readonly summary: string;
}

function problemOf(
  view: ConversationView,
  call: ViewedCall,
  definition: ToolDefinition | undefined,
): Problem | undefined {
  const refusal = refusalOf(view, call);
  const also = refusal?.signals ?? [];
  const args = call.call.arguments;
  if (typeof args === 'string' && args.trim() !== '' && isBrokenJson(args)) {
    const summary = `The arguments are no JSON: ${shorten(args, 200)}`;
    return { signals: [{ name: 'arguments_not_json', strength: 1 }, ...also], kind: 'no json', parameter: '', summary };
  }
  const read = typeof args === 'string' ? parseJson(args) : (args ?? {});
  const [breach] = definition === undefined || read === undefined ? [] : schemaBreaches(read, definition.parameters);
  if (breach === undefined) return refusal;
  return {
    signals: [{ name: 'schema_not_met', strength: strengthOf(breach, call) }, ...also],
    kind: breach.kind,
    parameter: breach.path.replace(/\[\d+\]/g, ''),
    summary: `${breach.path === '' ? 'The arguments' : breach.path}: ${breach.kind === 'missing' ? 'missing' : `expected ${breach.expected}`}.`,
  };
}

/** Returns a lower strength if the tool accepted the call: its schema is then stricter than the tool. */
function strengthOf(breach: SchemaBreach, call: ViewedCall): number {
  const wasTaken = call.result !== undefined && call.error === undefined;
  return wasTaken ? (breach.kind === 'missing' ? 0.8 : 0.6) : 1;
}

function isBrokenJson(args: string): boolean {
  if (!/^\s*[{["]/.test(args)) return false;
  try {
    readJson(args);
    return false;
  } catch {
    return true;
  }
}

function refusalOf(view: ConversationView, call: ViewedCall): Problem | undefined {
  const { error, toolName } = call;
  if (error === undefined || PASSING_CLASSES.has(error.errorClass)) return undefined;
  const summary = `${toolName} refused the call: ${shorten(error.text, 200)}`;
  if (isChange(call) && agreementBefore(view, call).kind === 'given') {
    const signals = [{ name: 'agreed_change_refused', strength: 1 }];
    return { signals, kind: 'refused', parameter: error.errorClass, summary };
  }
  if (error.errorClass !== 'invalid_input') return undefined;
  return { signals: [{ name: 'refused_by_tool', strength: 1 }], kind: 'refused', parameter: error.errorClass, summary };
}

function toOccurrence(view: ConversationView, call: ViewedCall, problem: Problem): Occurrence {
  const agent = view.agentOf(call.callMessage);
  const { toolName, result } = call;
  const about = problem.parameter === '' ? '' : ` (${problem.parameter})`;
  return {
    signals: problem.signals,
    signature: { names: [toolName, problem.kind, problem.parameter], text: '' },
    evidence: [
      callEvidence(call, `${toolName} with arguments that it cannot take`),
      ...(result === undefined || call.error === undefined
        ? []
        : [messageEvidence(result, 'What the tool answered', 'It refused the call.')]),
    ],
    narrative: {
      title:
        problem.kind === 'refused'
          ? `${toolName} refuses what ${agent} asks of it${about}`
          : `${agent} calls ${toolName} with invalid arguments${about}`,
      summary: problem.summary,
      causeAssessment:
        problem.kind === 'refused'
          ? 'The agent did not check, before it offered or called it, whether the state of things allows it, or took a value from the wrong place.'
          : 'The description of the tool leaves open what it takes, or the model is not held to the schema.',
      remediationHint:
        problem.kind === 'refused'
          ? `Let ${agent} look up what ${toolName} will check before it offers it, and let the error say what would be accepted.`
          : `Describe the parameters of ${toolName} with examples, and have the model's calls checked against the schema before they are run.`,
    },
  };
}
