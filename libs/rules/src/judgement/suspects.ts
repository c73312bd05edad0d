import { MAX_SUSPECTS, type Detection, type Quote, type Suspect } from '@clew/contracts';
import { inContent, placedQuoteOf, shorten } from '../text/quote.ts';
import type { TextValue } from '../values/scan-text.ts';
import type { ConversationView } from '../view/conversation-view.ts';
import { assumptionIn, stepsOf, type Step } from './steps.ts';

/**
 * Weights of the evidence for a step (docs/adr/0025), for a conditional choice among the steps of a conversation. They
 * were fitted on labelled failures of several agents, rounded, and are the same in every fold of the cross-validation.
 */
export const SUSPECT_WEIGHTS = {
  /** Decreases with every step before it: the earliest cause explains what follows. */
  earliness: 0.45,
  /** Values that the step introduced and nothing before contains. */
  introduced: 0.3,
  /** Values that the step introduced and that the conversation ended with. */
  leadsToEnd: 0.45,
  /** Assumptions in the text of the step. */
  assumptions: 0.55,
  /** The first failure is the result of the step. */
  isBeforeFailure: 0.6,
  /** The step hands out the task to other agents, and so only repeats the request. */
  isOpening: -0.85,
  /** A Detection goes back to the step; scaled by the confidence of the Detection. */
  anchored: 0.6,
} as const;

/** Returns up to three steps where the trouble may have begun, the likeliest first. */
export function suspectsOf(view: ConversationView, detections: readonly Detection[]): Suspect[] {
  const steps = stepsOf(view);
  const anchors = anchorsOf(view, detections);
  const weighed = steps.map((step) => ({ step, sum: sumOf(step, anchors.get(step.position)) }));
  const total = weighed.reduce((sum, { sum: own }) => sum + Math.exp(own), 0);
  return weighed
    .toSorted((left, right) => right.sum - left.sum || left.step.position - right.step.position)
    .slice(0, MAX_SUSPECTS)
    .map(({ step, sum }) => ({
      stepIndex: step.message.index,
      agent: shorten(step.agent, 256),
      score: Math.round((Math.exp(sum) / total) * 10_000) / 10_000,
      ...reasonsOf(view, step, anchors.get(step.position)),
    }));
}

function sumOf(step: Step, anchored: Anchored | undefined): number {
  const weights = SUSPECT_WEIGHTS;
  return (
    -weights.earliness * Math.log1p(step.rank) +
    weights.introduced * Math.log1p(step.introduced.length) +
    weights.leadsToEnd * Math.log1p(step.leadsToEnd.length) +
    weights.assumptions * Math.log1p(step.assumptions) +
    (step.isBeforeFailure ? weights.isBeforeFailure : 0) +
    (step.isOpening ? weights.isOpening : 0) +
    weights.anchored * (anchored?.detection.diagnosticConfidence ?? 0)
  );
}

/** Detection that goes back to a step, and how. */
interface Anchored {
  readonly detection: Detection;
  readonly by: 'itself' | 'call' | 'value';
}

/**
 * Maps each step to the most confident Detection that goes back to it. The anchor of a result belongs to the calling
 * step, and a repeated made-up value to the step that made it up.
 */
function anchorsOf(view: ConversationView, detections: readonly Detection[]): Map<number, Anchored> {
  const callerOf = new Map(view.calls.map((call) => [call.result, call.position]));
  const anchors = new Map<number, Anchored>();
  for (const detection of detections) {
    const anchor = view.messages[detection.anchor.stepIndex];
    if (anchor === undefined) continue;
    const caller = callerOf.get(anchor);
    const own = caller ?? view.positionOf(anchor);
    const position = beginningOf(view, own);
    const known = anchors.get(position);
    if (known === undefined || known.detection.diagnosticConfidence < detection.diagnosticConfidence) {
      const ownBy = caller === undefined ? 'itself' : 'call';
      anchors.set(position, { detection, by: position === own ? ownBy : 'value' });
    }
  }
  return anchors;
}

/** Beginning of the sentence that says what a Detection has to do with a step. */
const LED_TO: Readonly<Record<Anchored['by'], string>> = {
  itself: '',
  call: 'what it called led to this: ',
  value: 'a value that came up here first led to this: ',
};

function reasonsOf(
  view: ConversationView,
  step: Step,
  anchored: Anchored | undefined,
): Pick<Suspect, 'because' | 'quotes'> {
  const reasons: string[] = [];
  const quotes = new Map<string, Quote>();
  const quote = (start: number, end: number): void => {
    const found = placedQuoteOf(step.message.content, start, end);
    if (found !== undefined && !quotes.has(found.quote)) quotes.set(found.quote, inContent(found, step.message.index));
  };
  if (anchored !== undefined) {
    reasons.push(`${LED_TO[anchored.by]}${shorten(anchored.detection.title, 160)}`);
    for (const told of anchored.detection.anchor.quotes) {
      if (step.message.content.includes(told.quote)) quotes.set(told.quote, told);
    }
  }
  if (step.isBeforeFailure) reasons.push('the first failure of the conversation answers it');
  const isMadeUp = ({ key }: TextValue) => view.values.isMadeUp(key);
  const leading = step.leadsToEnd.filter(isMadeUp).length;
  const introduced = step.introduced.filter(isMadeUp).length;
  if (leading > 0) reasons.push(`${counted(leading, 'value')} that the conversation ended with came up here first`);
  else if (introduced > 0)
    reasons.push(`it brought in ${counted(introduced, 'value')} that nothing before it contains`);
  for (const { start, end } of view.values.introducedInTextAt(step.position).slice(0, 3)) quote(start, end);
  const assumption = assumptionIn(view, step.message);
  if (assumption !== undefined) {
    reasons.push('it takes something for granted');
    quote(assumption.start, assumption.end);
  }
  if (reasons.length === 0) reasons.push('it is among the first steps, and what followed rests on it');
  const [first = '', ...others] = reasons;
  return {
    because: `${first.charAt(0).toUpperCase()}${[first.slice(1), ...others].join('; ')}.`,
    quotes: [...quotes.values()].slice(0, 4),
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the earliest step that made up a value of this one; this step itself if there is none. */
function beginningOf(view: ConversationView, position: number): number {
  const made = view.values.at(position).flatMap(({ key }) => {
    const origin = view.values.originOf(key);
    return origin !== undefined && view.values.isMadeUp(key) ? [origin.position] : [];
  });
  return made.length === 0 ? position : Math.min(...made);
}
