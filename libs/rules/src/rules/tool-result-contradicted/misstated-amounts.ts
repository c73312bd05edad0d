import type { ConversationMessage } from '@clew/contracts';
import { isChange } from '../../judgement/changes.ts';
import { isConditional } from '../../links/claims.ts';
import { keyWords } from '../../links/result-facts.ts';
import { compilePhrases, findPhrase } from '../../text/phrases.ts';
import { jsonLeaves } from '../../values/json-leaves.ts';
import type { ConversationView, ViewedCall } from '../../view/conversation-view.ts';
import type { Contradiction } from './contradiction.ts';

const MONEY_KEYS = new Set(
  'amount price total subtotal refund payment fee cost charge credit paid balance deposit fare value sum tax due'.split(
    ' ',
  ),
);
const AMOUNT = /(?<![\p{L}\p{N}.,])[$€£]\s?(\d{1,3}(?:,\d{3})+|\d{1,9})(\.\d{1,2})?(?![\p{L}\p{N}])/gu;
const PLAIN_AMOUNT = /^[$€£]?(\d{1,9}(?:\.\d{1,4})?)$/;
/** Words that say that an amount was moved. */
const MOVED = compilePhrases([
  '(refunded|charged|credited|debited|reimbursed|billed|deducted|erstattet|abgebucht|rembourse|debite|reembolsado|cobrado)',
  '(refund|payment|charge|difference|transfer) … (has been|was|is) (successfully|) (processed|made|completed|sent|issued)',
]);
/** Words of plans, of rates and of earlier payments, which are no amounts of this change. */
const OTHER = compilePhrases([
  '(need to|going to|let me|lets|proceed to|want|would|per|each|every|pro|jeweils|par|chaque|por|cada)',
  '(originally|original|initially|previously|already|earlier|remaining|left|limit|up to|instead)',
]);
/** Amounts that are combined: with more of them, any number would follow. */
const MAX_AMOUNTS = 60;
const TOLERANCE = 0.011;

/**
 * Finds the amounts that an agent says were moved, if the changes of the turn moved others: they are none of the
 * numbers of these changes, and no sum, difference or product of two of them.
 */
export function misstatedAmounts(view: ConversationView): Contradiction[] {
  if (!view.calls.some(movesMoney)) return [];
  return view.turns.flatMap((turn): Contradiction[] => {
    const own = new Set(turn.messages);
    const moves = view.calls.filter((call) => own.has(call.callMessage) && movesMoney(call)).map(withAmounts(view));
    const last = moves.findLast(({ entries }) => entries.length > 0);
    const result = last?.call.result;
    if (last === undefined || result === undefined) return [];
    const known = moves.flatMap(({ numbers }) => numbers).slice(-MAX_AMOUNTS);
    const after = turn.messages.slice(turn.messages.indexOf(result) + 1);
    return after
      .filter(({ role, content }) => role === 'assistant' && /[$€£]/.test(content))
      .flatMap((message) => misstatedIn(view, message, known).map((found) => ({ ...found, ...foundOf(last) })));
  });

  function foundOf({ call, entries }: Moved) {
    return { label: call.toolName, found: String(entries.at(-1)), result: call.result ?? call.callMessage };
  }
}

interface Moved {
  readonly call: ViewedCall;
  /** Amounts of money. */
  readonly entries: readonly number[];
  /** All numbers of the arguments and the result. */
  readonly numbers: readonly number[];
}

function movesMoney(call: ViewedCall): boolean {
  return call.error === undefined && call.result !== undefined && isChange(call);
}

function withAmounts(view: ConversationView): (call: ViewedCall) => Moved {
  return (call) => {
    const json = call.result === undefined ? undefined : view.json(call.result);
    const leaves = [...call.leaves, ...(json === undefined ? [] : jsonLeaves(json))];
    const numbers = leaves.flatMap(({ key, value }) => {
      const number = typeof value === 'string' ? Number(PLAIN_AMOUNT.exec(value)?.[1]) : Number(value);
      return Number.isFinite(number) && typeof value !== 'boolean' ? [{ key, number: Math.abs(number) }] : [];
    });
    const entries = numbers.filter(({ key }) => keyWords(key).some((word) => MONEY_KEYS.has(word)));
    return { call, entries: entries.map(({ number }) => number), numbers: numbers.map(({ number }) => number) };
  };
}

function misstatedIn(
  view: ConversationView,
  message: ConversationMessage,
  known: readonly number[],
): Pick<Contradiction, 'signal' | 'message' | 'sentence' | 'said'>[] {
  return view.sentences(message).flatMap((sentence) => {
    if (isConditional(sentence) || findPhrase(MOVED, sentence) === undefined) return [];
    if (findPhrase(OTHER, sentence) !== undefined) return [];
    const amounts = message.content.slice(sentence.start, sentence.end).matchAll(AMOUNT);
    const wrong = [...amounts].find(([, whole = '', part = '']) => {
      return !follows(Number(`${whole.replaceAll(',', '')}${part}`), known);
    });
    return wrong === undefined ? [] : [{ signal: 'amount_moved_differs', message, sentence, said: wrong[0] }];
  });
}

function follows(said: number, known: readonly number[]): boolean {
  const hits = (value: number): boolean => Math.abs(value - said) <= TOLERANCE;
  if (said === 0 || hits(known.reduce((sum, one) => sum + one, 0))) return true;
  return known.some((left, index) => {
    const others = known.slice(index + 1);
    return hits(left) || others.some((right) => [left + right, Math.abs(left - right), left * right].some(hits));
  });
}
