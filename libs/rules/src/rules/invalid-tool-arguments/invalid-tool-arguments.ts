import type { ConversationMessage, ToolDefinition } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import { agreementBefore, isChange } from '../../judgement/changes.ts';
import { deniedByOwnChange } from '../../links/denied-changes.ts';
import { refusedAgainOf, type RefusedAgain } from '../../links/refused-again.ts';
import { maskVariables, readablyMasked } from '../../fingerprint/mask-variables.ts';
import { parseJson } from '../../values/json-leaves.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from '../../rule.ts';
import { shorten } from '../../text/quote.ts';
import { viewOf, type ConversationView, type ViewedCall } from '../../view/conversation-view.ts';
import { callEvidence, messageEvidence } from '../support/evidence.ts';
import { PASSING_CLASSES } from '../../errors/tool-error.ts';
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
      defaultSeverity: 'medium',
      weight: 0.6,
    },
    {
      name: 'same_call_refused_again',
      description: 'The same call with the same arguments was made twice or more, and refused each time',
      defaultSeverity: 'high',
      weight: 0.8,
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
    const again = refusedAgainOf(snapshot);
    const denied = deniedByOwnChange(snapshot);
    const reported = new Set<ConversationMessage | undefined>();
    return view.calls.flatMap((call) => {
      // A refusal that follows from an own earlier change is a consequence, which another Rule reports.
      if (denied.has(call)) return [];
      const group = again.get(call);
      // One root makes one occurrence, at the first repetition of the turn; what is repeated later follows from it.
      if (group !== undefined) {
        const isFirst = call === group.calls[1] && !reported.has(turnOf(view, call));
        if (isFirst) reported.add(turnOf(view, call));
        return isFirst ? [repeatedRefusal(view, group)] : [];
      }
      const problem = problemOf(view, call, definitions.get(call.toolName));
      return problem === undefined ? [] : [toOccurrence(view, call, problem)];
    });
  },
};

/** Message of the user that began the turn of a call. */
function turnOf(view: ConversationView, call: ViewedCall): ConversationMessage | undefined {
  return view.userMessageBefore(call.position);
}

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

/** Builds the occurrence of a call that was refused and made again as it was. */
function repeatedRefusal(view: ConversationView, { calls }: RefusedAgain): Occurrence {
  const [first, second] = calls;
  const { toolName, error } = first;
  const agent = view.agentOf(second.callMessage);
  const reason = shorten(error?.text ?? '', 200);
  const results = [first, second].flatMap(({ result }) => (result === undefined ? [] : [result]));
  return {
    signals: [{ name: 'same_call_refused_again', strength: 1 }],
    signature: { names: [toolName, 'refused again'], text: maskVariables(error?.text ?? '') },
    evidence: [
      callEvidence(second, `${toolName} again, with the same arguments`),
      callEvidence(first, `${toolName} for the first time`),
      ...results.map((result, index) =>
        messageEvidence(result, index === 0 ? 'The refusal' : 'The same refusal again', reason),
      ),
    ],
    narrative: {
      title: `${agent} repeats a call of ${toolName} that was refused: ${shorten(readablyMasked(error?.text ?? ''), 100)}`,
      summary: `${toolName} was called ${calls.length} times with the same arguments, and refused each time: ${reason}${isLeft(view, calls) ? ' No call succeeded afterwards.' : ''}`,
      causeAssessment: 'The agent made the call again without changing anything that the refusal named.',
      remediationHint: `Let the error of ${toolName} say what has to be different, and answer an identical call of the same turn with that sentence alone.`,
    },
  };
}

/** Tells whether no call succeeded after the refusals, so that the work ended with them. */
function isLeft(view: ConversationView, calls: readonly ViewedCall[]): boolean {
  const end = calls.at(-1)?.position ?? Infinity;
  return !view.calls.some(
    ({ position, error, result }) => position > end && result !== undefined && error === undefined,
  );
}

function toOccurrence(view: ConversationView, call: ViewedCall, problem: Problem): Occurrence {
  const agent = view.agentOf(call.callMessage);
  const { toolName, result } = call;
  const about = problem.parameter === '' ? '' : ` (${problem.parameter})`;
  return {
    signals: problem.signals,
    signature: {
      names: [toolName, problem.kind, problem.parameter],
      text: problem.kind === 'refused' ? maskVariables(call.error?.text ?? '') : '',
    },
    evidence: [
      callEvidence(call, `${toolName} with arguments that it cannot take`),
      ...(result === undefined || call.error === undefined
        ? []
        : [messageEvidence(result, 'What the tool answered', 'It refused the call.')]),
    ],
    narrative: {
      title:
        problem.kind === 'refused'
          ? `${toolName} refuses a call of ${agent}: ${shorten(readablyMasked(call.error?.text ?? ''), 120)}`
          : `${agent} calls ${toolName} with invalid arguments${about}`,
      summary: problem.summary,
      causeAssessment:
        problem.kind === 'refused'
          ? 'The tool gave this reason; nothing in the conversation shows that the agent had checked it before the call.'
          : 'The arguments of the call do not have the form that the tool is defined with.',
      remediationHint:
        problem.kind === 'refused'
          ? `Let ${agent} look up what ${toolName} will check before it offers it, and let the error say what would be accepted.`
          : `Describe the parameters of ${toolName} with examples, and have the model's calls checked against the schema before they are run.`,
    },
  };
}
