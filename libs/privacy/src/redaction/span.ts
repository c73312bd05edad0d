import { allMatches } from '@clew/kernel';
/** Kinds of values that are replaced. */
export type RedactedKind = 'email' | 'phone' | 'card' | 'iban' | 'secret' | 'address' | 'ssn' | 'name';

/** Place of a value in a text that is to be replaced. */
export interface Span {
  readonly kind: RedactedKind;
  readonly start: number;
  readonly end: number;
  /** Normal form of the value: values with the same key have the same placeholder. */
  readonly key: string;
}

const PLACEHOLDER = /\[(?:email|phone|card|iban|secret|address|ssn|name) \d{1,5}\]/g;

/** Writes the placeholder of the nth value of a kind. */
export function placeholderOf(kind: RedactedKind, number: number): string {
  return `[${kind} ${number}]`;
}

/** Splits a text at its placeholders: the odd parts are placeholders, the even ones are the text between them. */
export function splitAtPlaceholders(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: placeholder, index } of allMatches(text, PLACEHOLDER)) {
    parts.push(text.slice(from, index), placeholder);
    from = index + placeholder.length;
  }
  return [...parts, text.slice(from)];
}

/** Keeps the spans that overlap none before them in the list, in the order of the text. */
export function withoutOverlaps(given: Iterable<Span>, length: number): Span[] {
  const spans = [...given];
  if (spans.length < 2) return spans;
  const taken = new Uint8Array(length);
  const kept: Span[] = [];
  for (const span of spans) {
    if (taken.subarray(span.start, span.end).includes(1)) continue;
    taken.fill(1, span.start, span.end);
    kept.push(span);
  }
  return kept.toSorted((left, right) => left.start - right.start);
}
