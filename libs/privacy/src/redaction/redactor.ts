import { findAddresses } from './find-addresses.ts';
import { findEmails } from './find-emails.ts';
import { createNameFinder } from './find-names.ts';
import { findNumbers } from './find-numbers.ts';
import { findPhones } from './find-phones.ts';
import { findSecrets } from './find-secrets.ts';
import { createPlaceholders } from './placeholders.ts';
import { searchable } from './searchable.ts';
import { splitAtPlaceholders, withoutOverlaps, type RedactedKind, type Span } from './span.ts';

/** Letter or digit: without one, a text has nothing to replace. */
const HAS_WORD = /[\p{L}\p{N}]/u;
/**
 * Letter that stands for a placeholder while the text next to it is read. Text that is glued to a value is none before
 * the value is replaced, and not afterwards either: otherwise each pass over a hostile text would find one more.
 */
export const NEIGHBOUR = 'ǁ';
/** Characters of the name of a member that are read with its value. */
const MAX_LABEL = 60;
/** Passes over a text, of which two or three are needed. */
const MAX_PASSES = 30;

/** Numbers of distinct values that were replaced, by kind. */
export type RedactedCounts = Readonly<Partial<Record<RedactedKind, number>>>;

/** Replaces personal data and secrets by placeholders: the same value by the same one in all texts. */
export interface Redactor {
  /** Replaces in a text. Redacting the result again changes nothing. */
  text(text: string): string;
  /**
   * Replaces in all strings of a JSON value, not in the names of its members, which say what their values are. A
   * number that is as a whole the number of a card is replaced, too.
   */
  value(value: unknown): unknown;
  /** Distinct values that were replaced so far. */
  readonly counts: RedactedCounts;
}

/** Creates the redactor of one Example. */
export function createRedactor(options: { names?: readonly string[] } = {}): Redactor {
  const placeholders = createPlaceholders();
  const findNames = createNameFinder(options.names ?? []);

  const findAlways = remembered((text) => ({
    secrets: [...findSecrets(text)],
    others: [...findEmails(text), ...findNumbers(text), ...findAddresses(text)],
    names: [...findNames(text)],
  }));

  function* find(text: string): Generator<Span> {
    const { secrets, others, names } = findAlways(text);
    yield* secrets;
    yield* placeholders.findSecretsAgain(text);
    yield* others;
    yield* findPhones(text, (key) => placeholders.has('phone', key));
    yield* names;
  }

  /** Replaces in text without placeholders, between what is around it: a placeholder, or the name of a member. */
  const part = (text: string, lead: string, tail: string): string => {
    const whole = lead + text + tail;
    const last = lead.length + text.length;
    let redacted = '';
    let from = lead.length;
    for (const span of withoutOverlaps(find(searchable(whole)), whole.length)) {
      const start = Math.max(span.start, lead.length);
      const end = Math.min(span.end, last);
      if (start >= end || (span.kind === 'email' && whole.charAt(start) === '@')) continue;
      redacted += whole.slice(from, start) + asJson(placeholders.of(span), whole, { start, end });
      from = end;
    }
    return redacted + whole.slice(from, last);
  };

  /** Repeats until nothing is found: a value that overlapped another one is found when that one is gone. */
  const text = (given: string, label = ''): string => {
    let before = given;
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const parts = splitAtPlaceholders(before);
      parts.forEach((one, index) => index % 2 === 1 && placeholders.reserve(one));
      const after = parts
        .map((one, index) => {
          if (index % 2 === 1 || !HAS_WORD.test(one)) return one;
          const lead = index > 0 ? NEIGHBOUR : label === '' ? '' : `${label.slice(-MAX_LABEL)}: "`;
          return part(one, lead, index < parts.length - 1 ? NEIGHBOUR : '');
        })
        .join('');
      if (after === before) return after;
      before = after;
    }
    return before;
  };

  const value = (given: unknown, label = ''): unknown => {
    if (typeof given === 'string') return text(given, label);
    if (typeof given === 'number') return number(given);
    if (Array.isArray(given)) return given.map((one) => value(one, label));
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([name, member]) => [name, value(member, name)]));
  };

  const number = (given: number): number | string => {
    if (!Number.isSafeInteger(given)) return given;
    const written = String(given);
    const card = [...findNumbers(written)].find(({ start, end }) => start === 0 && end === written.length);
    return card === undefined ? given : placeholders.of(card);
  };

  return {
    text: (given) => text(given),
    value: (given) => {
      // A member may show what the one before it is: then that one is read again.
      for (let redacted = given; ;) {
        const known = placeholders.size();
        redacted = value(redacted);
        if (placeholders.size() === known) return redacted;
      }
    },
    get counts() {
      return placeholders.counts();
    },
  };
}

/** Remembers the results of a function: each text of an Example is read at least twice. */
function remembered<Result>(of: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const result = known.get(text) ?? of(text);
    known.set(text, result);
    return result;
  };
}

/** Quotes a placeholder that stands for a number in the text of a JSON value, which stays JSON. */
function asJson(placeholder: string, text: string, { start, end }: Pick<Span, 'start' | 'end'>): string {
  const quote = /[\p{L}\p{N}_-](\\{0,8}")\s{0,4}:\s{0,4}$/u.exec(text.slice(Math.max(0, start - 20), start))?.[1];
  const isNumber = quote !== undefined && /^\s{0,8}[,}\]\n]/.test(text.slice(end, end + 10));
  return isNumber ? quote + placeholder + quote : placeholder;
}
