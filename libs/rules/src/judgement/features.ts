import { numberKey } from '../values/scan-text.ts';
import { findPhrase } from '../text/phrases.ts';
import type { ConversationView, ViewedCall } from '../view/conversation-view.ts';
import { DEMANDING } from '../vocabulary/demands.ts';
import { isChange, agreementBefore } from './changes.ts';

/** Counts from a conversation for estimating how likely it went wrong. */
export interface ConversationFeatures {
  /** Messages, except those of the system. */
  readonly messages: number;
  /** Values that agents wrote with tools that change something: the more values, the more can be wrong. */
  readonly changedValues: number;
  /** Limits, comparisons and sums that users asked for. */
  readonly demands: number;
  /** Calls that returned an error. */
  readonly failedCalls: number;
  /** Changes without an agreement in the user's message before them. */
  readonly unconfirmedChanges: number;
  /** Numbers that agents stated or passed on, and that nothing before contains. */
  readonly ungroundedNumbers: number;
  /** Empty results. */
  readonly emptyResults: number;
  /** Calls that handed the conversation over to somebody else. */
  readonly handovers: number;
}

export function featuresOf(view: ConversationView): ConversationFeatures {
  const changes = view.calls.filter(isChange);
  return {
    messages: view.messages.filter((message) => message.role !== 'system').length,
    changedValues: changes.reduce((count, call) => count + call.leaves.length, 0),
    demands: demandsIn(view),
    failedCalls: view.calls.filter((call) => call.error !== undefined).length,
    unconfirmedChanges: changes.filter((call) => isUnconfirmed(view, call)).length,
    ungroundedNumbers: ungroundedNumbers(view),
    emptyResults: view.calls.filter(hasEmptyResult).length,
    handovers: view.calls.filter((call) => call.character.handsOver).length,
  };
}

function isUnconfirmed(view: ConversationView, call: ViewedCall): boolean {
  const { kind } = agreementBefore(view, call);
  return kind === 'missing' || kind === 'declined';
}

function demandsIn(view: ConversationView): number {
  let count = 0;
  for (const message of view.userMessages) {
    for (const sentence of view.sentences(message)) {
      for (let from = 0; from < sentence.tokens.length;) {
        const found = findPhrase(DEMANDING, sentence, from);
        if (found === undefined) break;
        count += 1;
        from = found.tokenIndex + 1;
      }
    }
  }
  return count;
}

function ungroundedNumbers(view: ConversationView): number {
  let count = 0;
  view.messages.forEach((message, position) => {
    if (message.role !== 'assistant') return;
    for (const value of view.values.introducedAt(position)) {
      if (value.kind === 'number' && !view.values.isGivenBefore(numberKey(value.key) ?? value.key, position))
        count += 1;
    }
  });
  return count;
}

const EMPTY = /^(?:\[\s*\]|\{\s*\}|null|none|no results?(?: found)?\.?)?$/i;

function hasEmptyResult({ result, error }: ViewedCall): boolean {
  return result !== undefined && error === undefined && result.content.length < 40 && EMPTY.test(result.content.trim());
}
