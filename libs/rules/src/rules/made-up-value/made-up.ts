import { isDerivable, MAX_SOURCES } from '../../links/derivation.ts';
import type { JsonLeaf } from '../../values/json-leaves.ts';
import { numberKey } from '../../values/scan-text.ts';
import type { ConversationView, ViewedCall } from '../../view/conversation-view.ts';

/** Value of a call without a source. */
export interface MadeUp {
  readonly kind: 'identifier' | 'number' | 'placeholder';
  readonly parameter: string;
  readonly text: string;
  /** Position where the agent mentioned it before using it, and so made it up. */
  readonly saidAt: number | undefined;
}

const MAX_VALUE_LENGTH = 120;
const MAX_VALUE_WORDS = 5;
const MAX_CHECKED = 400;

const PLACEHOLDER =
  /^(?:<[^<>]{1,40}>|\[[A-Z_ ]{2,40}\]|\{\{?[a-z_ ]{2,40}\}?\}|your[-_ ][a-z_ -]{2,40}|(?:xxx+|abc123|foo|foobar|lorem ipsum|tbd|todo|placeholder|example[-_ ]?\w{0,20}|sample[-_ ]?\w{0,20}|test[-_]?id|dummy\w{0,20}|changeme|insert[-_ ]\w{2,30}|\S{1,40}@example\.(?:com|org)|0{6,}|1234567890?|123-456-7890|00000000-0000-0000-0000-000000000000))$/i;
const EMAIL = /^[^\s@]{1,100}@[^\s@]{1,200}$/;
const DATE_OR_TIME =
  /^\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?(?:[T ]\d{1,2}:\d{2}.{0,20})?$|^\d{1,2}:\d{2}|^\d{1,2}(?:am|pm)$/i;
/** Identifier: letters with at least two digits, or joined by underscores; systems assign such names, people do not. */
const IDENTIFIER = /^(?=(?:.{0,100}\d){2})(?=.{0,100}\p{L})[\p{L}\d_#.:-]{4,80}$/u;
/** Measures and versions that a person writes: `10kg`, `v2`, `q4-2026`, `3x`. */
const MEASURE = /^\d{1,6}(?:\.\d{1,4})?\p{L}{1,8}$|^\p{L}{1,2}\d{1,2}$|^q[1-4]|^\p{L}{1,12}[-_ ]?v?\d{1,2}$/iu;
const LONG_NUMBER = /^\+?\d[\d ()-]{6,24}$/;

/** Finds the values of a call that nothing before it contains and that do not follow from earlier values. */
export function madeUpValues(view: ConversationView, call: ViewedCall): MadeUp[] {
  const found: MadeUp[] = [];
  for (const leaf of call.leaves.slice(0, MAX_CHECKED)) {
    const made = judge(view, call, leaf);
    if (made !== undefined) found.push(made);
  }
  return found;
}

function judge(view: ConversationView, call: ViewedCall, { key, value }: JsonLeaf): MadeUp | undefined {
  if (typeof value === 'boolean') return undefined;
  const text = String(value).trim();
  if (text === '' || text.length > MAX_VALUE_LENGTH || text.split(/\s+/).length > MAX_VALUE_WORDS) return undefined;
  const { values } = view;
  const given = (word: string): boolean => values.isGivenBefore(word, call.position);
  const lower = text.toLowerCase();
  if (PLACEHOLDER.test(text)) {
    return given(lower) ? undefined : { kind: 'placeholder', parameter: key, text, saidAt: undefined };
  }
  const number = numberKey(text);
  if (number !== undefined && !LONG_NUMBER.test(text)) {
    if (!call.character.changes || Number(number) < 10 || given(number)) return undefined;
    if (isDerivable(Number(number), values.numbersGivenBefore(call.position, MAX_SOURCES))) return undefined;
    return { kind: 'number', parameter: key, text, saidAt: saidAtBefore(view, call, tellingPartsOf(lower)) };
  }
  if (DATE_OR_TIME.test(text) || (!EMAIL.test(text) && !isIdentifier(text)) || given(lower)) return undefined;
  const telling = tellingPartsOf(lower);
  if (telling.length > 0 && telling.every((part) => given(numberKey(part) ?? part))) return undefined;
  return { kind: 'identifier', parameter: key, text, saidAt: saidAtBefore(view, call, telling) };
}

/** Parts of a value that have a digit. */
function tellingPartsOf(value: string): string[] {
  return (value.match(/[\p{L}\p{N}]+/gu) ?? []).filter((part) => /\p{N}/u.test(part));
}

/** Finds the message before a call in which an agent first mentioned a part of its value. */
function saidAtBefore({ values }: ConversationView, call: ViewedCall, parts: readonly string[]): number | undefined {
  return parts
    .map((part) => values.saidAt(part))
    .find((position) => position !== undefined && position < call.position);
}

function isIdentifier(text: string): boolean {
  return LONG_NUMBER.test(text) || (IDENTIFIER.test(text) && !MEASURE.test(text));
}
