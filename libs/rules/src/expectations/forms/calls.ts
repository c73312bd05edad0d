import type { ToolCall } from '@clew/contracts';
import { argumentsKey } from '../../conversation/tool-exchanges.ts';
import { placedQuoteOf } from '../../text/quote.ts';
import type { RecordedCall } from '../reading.ts';
import { toolMatcher } from '../tool-patterns.ts';
import { MAX_VIOLATIONS, type FormEvaluator } from '../violation.ts';
import { callEvidence } from './call-evidence.ts';

/** Reports every call of one of the tools, whether it succeeded or failed. */
export const neverCall: FormEvaluator<'never_call'> = (check, reading) => {
  const isForbidden = toolMatcher(check.tools);
  return reading.calls
    .filter((call) => isForbidden(call.toolName) && reading.isOfAgent(call.callMessage, check.agent))
    .slice(0, MAX_VIOLATIONS)
    .map((call) => ({
      message: call.callMessage,
      reason: `${call.toolName} was called, which the agent is never to do.`,
      strength: reading.hasFailed(call) ? 0.9 : 1,
      evidence: [callEvidence(call)],
    }));
};

/** Reports each call beyond the count; a failed call had no effect and is not counted. */
export const maxCalls: FormEvaluator<'max_calls'> = (check, reading) => {
  const isCounted = toolMatcher(check.tools);
  const counted = reading.calls.filter(
    (call) => isCounted(call.toolName) && reading.isOfAgent(call.callMessage, check.agent) && !reading.hasFailed(call),
  );
  return counted.slice(check.count, check.count + MAX_VIOLATIONS).map((call, index) => {
    const ordinal = check.count + index + 1;
    const earlier = counted[check.count + index - 1];
    return {
      message: call.callMessage,
      reason: `${call.toolName} is call ${ordinal} of its kind, where at most ${check.count} are allowed.`,
      strength: 1,
      evidence: [
        callEvidence(call, `Call ${ordinal}`),
        ...(earlier === undefined ? [] : [callEvidence(earlier, `Call ${ordinal - 1}`)]),
      ],
    };
  });
};

/**
 * Reports each call before which no call of `one_of` had succeeded. Calls by any agent count, and so do calls whose
 * result was not recorded. A call of `one_of` in the same step comes too late.
 */
export const requiresFirst: FormEvaluator<'requires_first'> = (check, reading) => {
  if (reading.beginsInTheMiddle) return [];
  const isGuarded = toolMatcher(check.tools);
  const isFirst = toolMatcher(check.one_of);
  const firstPositions = reading.calls
    .filter((call) => isFirst(call.toolName) && !reading.hasFailed(call))
    .map((call) => (call.result === undefined ? call.position : reading.positionOf(call.result)));
  const firstAt = firstPositions.reduce((least, position) => Math.min(least, position), Infinity);
  const tried = reading.calls.find((call) => isFirst(call.toolName) && reading.hasFailed(call));
  return reading.calls
    .filter(
      (call) =>
        isGuarded(call.toolName) &&
        !isFirst(call.toolName) &&
        call.position <= firstAt &&
        reading.isOfAgent(call.callMessage, check.agent),
    )
    .slice(0, MAX_VIOLATIONS)
    .map((call) => {
      const hasTried = tried !== undefined && tried.position < call.position;
      return {
        message: call.callMessage,
        reason: hasTried
          ? `${call.toolName} was called although ${tried.toolName} had failed.`
          : `${call.toolName} was called before ${check.one_of.join(' or ')}.`,
        strength: 1,
        evidence: [callEvidence(call), ...(hasTried ? [callEvidence(tried, `The call that failed`)] : [])],
      };
    });
};

/** Reports each step with two or more calls; a call that was recorded twice counts once. */
export const oneCallAtATime: FormEvaluator<'one_call_at_a_time'> = (check, reading) => {
  return groupedByStep(reading.calls)
    .filter(([first]) => first !== undefined && reading.isOfAgent(first.callMessage, check.agent))
    .flatMap((calls) => {
      const distinct = distinctCalls(calls);
      const [first] = distinct;
      if (first === undefined || distinct.length < 2) return [];
      return [
        {
          message: first.callMessage,
          reason: `One step called ${distinct.length} tools: ${namesOf(distinct)}.`,
          strength: 1,
          evidence: [callEvidence(first, `${distinct.length} calls in one step`)] as const,
        },
      ];
    })
    .slice(0, MAX_VIOLATIONS);
};

function groupedByStep(calls: readonly RecordedCall[]): RecordedCall[][] {
  const steps = new Map<number, RecordedCall[]>();
  for (const call of calls) {
    const step = steps.get(call.position);
    if (step === undefined) steps.set(call.position, [call]);
    else step.push(call);
  }
  return [...steps.values()];
}

function distinctCalls(calls: readonly RecordedCall[]): RecordedCall[] {
  const distinct = new Map(calls.map((call) => [identityOf(call.call), call]));
  return [...distinct.values()];
}

function identityOf(call: ToolCall): string {
  return call.id === undefined ? `${call.name} ${argumentsKey(call)}` : `id ${call.id}`;
}

function namesOf(calls: readonly RecordedCall[]): string {
  const names = [...new Set(calls.map((call) => call.toolName))];
  return `${names.slice(0, 5).join(', ')}${names.length > 5 ? ', ...' : ''}`;
}

const THOUGHT_MARK = /<(\/?)(think|thinking|thought|reasoning|scratchpad)>/gi;
const THOUGHT_LABEL = /^\s*(?:thought|reasoning|action|plan)\s*:/i;
const PLACEHOLDER = /^\W*(?:null|none|undefined|nil|n\/a|no content|empty)\W*$/i;
const HAS_WORD = /\p{L}{2}/u;

/** Reports each step that calls a tool and contains text; thoughts that a model marks as such do not count as text. */
export const noWordsWithCalls: FormEvaluator<'no_words_with_calls'> = (check, reading) => {
  return groupedByStep(reading.calls)
    .flatMap(([call]) => {
      if (call === undefined || !reading.isOfAgent(call.callMessage, check.agent)) return [];
      const { content } = call.callMessage;
      if (!saysSomething(content)) return [];
      const quote = placedQuoteOf(content);
      return [
        {
          message: call.callMessage,
          reason: `The step that called ${call.toolName} also says something.`,
          strength: 1,
          evidence: [{ ...callEvidence(call, `Words beside a call of ${call.toolName}`), quote }] as const,
        },
      ];
    })
    .slice(0, MAX_VIOLATIONS);
};

const READ_LENGTH = 4000;

function saysSomething(content: string): boolean {
  if (content === '') return false;
  const spoken = withoutThoughts(content.slice(0, READ_LENGTH));
  return HAS_WORD.test(spoken) && !THOUGHT_LABEL.test(spoken) && !PLACEHOLDER.test(spoken);
}

/** Removes the thoughts between thought marks, in one pass. A mark that is not closed hides nothing. */
function withoutThoughts(content: string): string {
  const openedAt = new Map<string, number>();
  const thoughts: { start: number; end: number }[] = [];
  for (const { 0: mark, 1: slash, 2: tag = '', index } of content.matchAll(THOUGHT_MARK)) {
    const name = tag.toLowerCase();
    const start = openedAt.get(name);
    if (slash === '') {
      openedAt.set(name, start ?? index);
    } else if (start !== undefined) {
      openedAt.delete(name);
      while ((thoughts.at(-1)?.start ?? -1) > start) thoughts.pop();
      thoughts.push({ start, end: index + mark.length });
    }
  }
  const ends = [0, ...thoughts.map(({ end }) => end)];
  const starts = [...thoughts.map(({ start }) => start), content.length];
  return ends.map((end, place) => content.slice(end, starts[place])).join(' ');
}
