import { hasText } from '../../conversation/turns.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from '../../rule.ts';
import { compilePhrases, findPhrase } from '../../text/phrases.ts';
import { shorten } from '../../text/quote.ts';
import type { Sentence } from '../../text/sentences.ts';
import { viewOf, type ConversationView, type ViewedCall } from '../../view/conversation-view.ts';
import { DATA_INVENTED } from '../../vocabulary/assumptions.ts';
import { callEvidence, messageEvidence } from '../support/evidence.ts';
import { PASSING_CLASSES } from '../../errors/tool-error.ts';
import { madeUpValues, type MadeUp } from './made-up.ts';

/**
 * Tool call with a value without a source: no user, tool or prompt mentioned it before, and no arithmetic leads to it.
 * Or the agent itself says that it continues with invented data.
 *
 * Cluster: the tool and the parameter, because a fix (a lookup first, a question to the user, a check in the tool)
 * applies to that parameter.
 */
export const madeUpValue: RuleDefinition = {
  ruleId: 'rule_2DNPMA106YJWNWDJ7M5YCEGHSE',
  ruleKey: 'made_up_value',
  name: 'Made-up value',
  description: 'The agent went on with a value or data that no user, tool or prompt had given.',
  categoryKey: 'grounding',
  keywordsMeaning: null,
  signals: [
    {
      name: 'identifier_made_up',
      description: 'An id, an address or a long number in a call that nothing before the call contains',
      defaultSeverity: 'medium',
      weight: 0.75,
    },
    {
      name: 'number_made_up',
      description: 'A number in a call that changes something, which was neither given nor follows from what was given',
      defaultSeverity: 'medium',
      weight: 0.6,
    },
    {
      name: 'placeholder_used',
      description: 'A placeholder in place of a value, such as `your-id` or `123456789`',
      defaultSeverity: 'medium',
      weight: 0.65,
    },
    {
      name: 'data_invented',
      description: 'The agent says itself that the data it goes on with are assumed, simulated or made up',
      defaultSeverity: 'medium',
      weight: 0.6,
    },
    {
      name: 'call_with_it_failed',
      description: 'The tool answered the call with an error',
      defaultSeverity: 'low',
      weight: 0.3,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    const invented = inventedData(view);
    if (beginsInTheMiddle(view)) return invented;
    const unread = view.messages.findIndex((message) => (message.attachments ?? []).length > 0 || message.textExpired);
    const checked = view.calls.filter((call) => !isFreeOfFacts(call) && (unread === -1 || call.position < unread));
    return [...invented, ...checked.flatMap((call) => occurrencesOf(view, call))];
  },
};

const SIGNAL_OF: Readonly<Record<MadeUp['kind'], string>> = {
  identifier: 'identifier_made_up',
  number: 'number_made_up',
  placeholder: 'placeholder_used',
};
/**
 * Strength of an uncertain case. A lookup that found something had a right value, and so had a change of an existing
 * id, whatever the source. A transient failure says nothing about the value, and nothing was changed with it.
 */
const HALF_AS_SURE = 0.5;

/** Tells whether the beginning is missing, which may have contained the value. */
function beginsInTheMiddle({ snapshot }: ConversationView): boolean {
  const first = snapshot.messages.find((message) => message.role !== 'system');
  return snapshot.scope === 'traces' || first === undefined || first.role !== 'user' || !hasText(first);
}

/** Tells whether a call may contain anything: notes, thoughts, messages and computations. */
function isFreeOfFacts({ character, toolName }: ViewedCall): boolean {
  const { notifies, answers, handsOver } = character;
  return (
    notifies || answers || handsOver || /python|code|exec|shell|bash|command|sql|query|write|draft/i.test(toolName)
  );
}

function occurrencesOf(view: ConversationView, call: ViewedCall): Occurrence[] {
  return madeUpValues(view, call).map((made): Occurrence => {
    const failed = call.error !== undefined;
    const passes = call.error !== undefined && PASSING_CLASSES.has(call.error.errorClass);
    const wasRight = !failed && call.result !== undefined && (!call.character.changes || made.kind === 'identifier');
    const signals: SignalHit[] = [{ name: SIGNAL_OF[made.kind], strength: wasRight || passes ? HALF_AS_SURE : 1 }];
    if (failed && !passes) signals.push({ name: 'call_with_it_failed', strength: 1 });
    const said = made.saidAt === undefined ? undefined : view.messages[made.saidAt];
    const value = shorten(made.text, 60);
    const where = made.parameter === '' ? call.toolName : `${made.parameter} of ${call.toolName}`;
    return {
      signals,
      signature: { names: [call.toolName, made.parameter, made.kind], text: '' },
      evidence: [
        callEvidence(call, `${call.toolName} with a value that nobody gave`),
        ...(said === undefined ? [] : [messageEvidence(said, 'Where it was said first', 'The agent said it itself.')]),
        ...(failed && call.result !== undefined
          ? [messageEvidence(call.result, 'What the tool answered', 'The call failed.')]
          : []),
      ],
      narrative: {
        title: `${view.agentOf(call.callMessage)} makes up ${where}`,
        summary: `"${value}" was passed as ${where}, and no message of a user, a tool or the prompt contains it.`,
        causeAssessment:
          'No message before the call has the value, and the agent neither looked it up nor asked for it.',
        remediationHint: `Say in the description of ${where} where its value comes from, let the agent look it up or ask first, and let the tool refuse values that it never gave out.`,
      },
    };
  });
}

const MIN_INVENTED = 3;

/** Finds sentences such as `let us assume the following prices`, with several values that nothing before contains. */
function inventedData(view: ConversationView): Occurrence[] {
  // Invented data is expected if an example or a supposition was requested.
  const asked = [...view.userMessages, ...view.messages.filter(({ role }) => role === 'system')];
  if (asked.some((message) => view.sentences(message).some(asksForInvention))) return [];
  return view.messages.flatMap((message): Occurrence[] => {
    if (message.role !== 'assistant') return [];
    const sentence = view.sentences(message).find((one) => findPhrase(DATA_INVENTED, one) !== undefined);
    if (sentence === undefined || view.values.introducedAt(view.positionOf(message)).length < MIN_INVENTED) return [];
    const agent = view.agentOf(message);
    return [
      {
        signals: [{ name: 'data_invented', strength: 1 }],
        signature: { names: [agent, 'data'], text: '' },
        evidence: [messageEvidence(message, 'What is assumed', 'The agent goes on with data of its own.', sentence)],
        narrative: {
          title: `${agent} goes on with data that it made up`,
          summary: `The agent said "${shorten(message.content.slice(sentence.start, sentence.end), 200)}".`,
          causeAssessment: 'The agent says itself that it assumes the data; no message before has it.',
          remediationHint: `Give ${agent} a source for it, and let it stop and say so where it has none.`,
        },
      },
    ];
  });
}

const INVENTION_ASKED = compilePhrases([
  '(assume|suppose|hypothetical|fictional|example|examples|sample|mock|dummy|simulate|imagine|pretend|invent|story|placeholder)',
  '(beispiel|angenommen|erfinde|stell dir vor|exemple|imagine|supposons|ejemplo|imagina|supongamos|exemplo|suponha)',
]);

function asksForInvention(sentence: Sentence): boolean {
  return findPhrase(INVENTION_ASKED, sentence) !== undefined;
}
