import type { ConversationSnapshot, Detection, Severity } from '@clew/contracts';
import { findPhrase, type PhraseSet } from '../text/phrases.ts';
import { isTelling } from '../values/value-index.ts';
import { viewOf, type ConversationView } from '../view/conversation-view.ts';
import { HEDGED, PLANNED } from '../vocabulary/hedges.ts';

/**
 * Facts about a conversation from which its score is computed. Each makes a failure likelier the higher it is. Counts
 * are logarithms, because the tenth case tells less than the first.
 */
export interface ConversationFeatures {
  /** Words that users wrote: the more is asked, explained and asked again, the more can be missed. */
  readonly requestLength: number;
  /** Characters that agents wrote. */
  readonly writtenLength: number;
  /** Share of failed calls in the second half of the calls: failures at the beginning are often repaired. */
  readonly lateFailures: number;
  /** 1 if the last call failed. */
  readonly lastCallFailed: number;
  /** Results that contain nothing. */
  readonly emptyResults: number;
  /** Share of the calls whose tool was called before: the agent tries again. */
  readonly repeatedTools: number;
  /** 1 if no tool was called. */
  readonly withoutCalls: number;
  /** Sentences in which an agent says that it is not certain. */
  readonly hedges: number;
  /** 1 if the last text of an agent speaks of something still to be done. */
  readonly plansLeft: number;
  /** 1 if the conversation does not end with a text of an agent. */
  readonly unanswered: number;
  /** Values of the request that no text and no call of an agent takes up. */
  readonly unusedValues: number;
  /** Gravity of the worst problem that Rules found, times its score. */
  readonly problems: number;
}

export const FEATURE_NAMES: readonly (keyof ConversationFeatures)[] = [
  'requestLength',
  'writtenLength',
  'lateFailures',
  'lastCallFailed',
  'emptyResults',
  'repeatedTools',
  'withoutCalls',
  'hedges',
  'plansLeft',
  'unanswered',
  'unusedValues',
  'problems',
];

const GRAVITY: Readonly<Record<Severity, number>> = { critical: 1, high: 1, medium: 0.5, low: 0, info: 0 };

/** Members of a Detection that count. */
export type CountedDetection = Pick<Detection, 'severity' | 'diagnosticScore'>;

/** Computes the features of a conversation, given the Detections of the Rules. */
export function featuresOf(
  snapshot: ConversationSnapshot,
  detections: readonly CountedDetection[],
): ConversationFeatures {
  const view = viewOf(snapshot);
  const { calls } = view;
  const own = view.messages.filter(({ role }) => role === 'assistant');
  const lastText = own.findLast(({ content }) => content.trim() !== '');
  const last = view.messages.findLast(({ role }) => role !== 'system');
  const late = calls.slice(Math.floor(calls.length / 2));
  const share = (count: number, of: number): number => (of === 0 ? 0 : count / of);
  const sentences = own.flatMap((message) => view.sentences(message));
  return {
    requestLength: Math.log1p(view.userMessages.reduce((sum, { content }) => sum + wordCount(content), 0)),
    writtenLength: Math.log1p(own.reduce((sum, { content }) => sum + content.length, 0)),
    lateFailures: share(late.filter(({ error }) => error !== undefined).length, late.length),
    lastCallFailed: Number(calls.at(-1)?.error !== undefined),
    emptyResults: Math.log1p(calls.filter(hasEmptyResult).length),
    repeatedTools: share(calls.length - new Set(calls.map(({ toolName }) => toolName)).size, calls.length),
    withoutCalls: Number(calls.length === 0),
    hedges: Math.log1p(sentences.filter((sentence) => findPhrase(HEDGED, sentence) !== undefined).length),
    plansLeft: Number(lastText !== undefined && says(view, lastText, PLANNED)),
    unanswered: Number(last?.role !== 'assistant' || last.content.trim() === ''),
    unusedValues: Math.log1p(unusedValues(view)),
    problems: Math.max(0, ...detections.map(({ severity, diagnosticScore }) => GRAVITY[severity] * diagnosticScore)),
  };
}

const WORD_BREAK = /\s+/;

function wordCount(text: string): number {
  return text.split(WORD_BREAK).length;
}

function says(view: ConversationView, message: ConversationView['messages'][number], phrases: PhraseSet): boolean {
  return view.sentences(message).some((sentence) => findPhrase(phrases, sentence) !== undefined);
}

const EMPTY = /^(?:\[\s*\]|\{\s*\}|null|none|no results?(?: found)?\.?|\[\((?:0|none),\)\]|0|""|'')?$/i;

function hasEmptyResult({ result, error }: ConversationView['calls'][number]): boolean {
  return result !== undefined && error === undefined && result.content.length < 40 && EMPTY.test(result.content.trim());
}

/** Counts the values in the first message of the user that no agent mentions or passes on afterwards. */
function unusedValues(view: ConversationView): number {
  const [request] = view.userMessages;
  if (request === undefined) return 0;
  const asked = view.values.at(view.positionOf(request)).filter(isTelling);
  return asked.filter(({ key }) => !view.values.usesOf(key).some((at) => view.messages[at]?.role === 'assistant'))
    .length;
}
