/** Kinds of marks, the gravest first: a step with which it may have begun, where it shows, and further evidence. */
export const MARK_KINDS = ['suspect', 'symptom', 'evidence'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/** Field of a message in which quotes stand. */
export type QuoteField = 'content' | 'arguments' | 'reasoning';

/** Quote of a message, as the API gives it; its place is absent where nobody noted it. */
export interface Quote {
  readonly quote: string;
  readonly messageIndex?: number;
  readonly field?: QuoteField;
  readonly startChar?: number;
  readonly endChar?: number;
}

/** Part of a text that is marked: from `start` to before `end`, in UTF-16 code units. */
export interface MarkRange {
  readonly start: number;
  readonly end: number;
  readonly kind: MarkKind;
  /** Evidence that the mark belongs to. */
  readonly evidenceId: string;
}

/** Part of a text with all marks that cover it. */
export interface Segment {
  readonly text: string;
  /** Kind of the gravest mark; undefined where there is none. */
  readonly kind: MarkKind | undefined;
  readonly evidenceIds: readonly string[];
  /** Begin of the found words that it belongs to; undefined where there are none. */
  readonly foundAt: number | undefined;
}

/**
 * Finds the place of a quote in a text: the noted one if the quote stands there, else the first one. Undefined if the
 * text does not have it, as when its field is another one or the words have expired.
 */
export function placeOf(
  text: string,
  { quote, startChar, endChar }: Quote,
): { start: number; end: number } | undefined {
  if (quote === '') return undefined;
  if (startChar !== undefined && endChar !== undefined && text.slice(startChar, endChar) === quote) {
    return { start: startChar, end: endChar };
  }
  const start = text.indexOf(quote);
  return start < 0 ? undefined : { start, end: start + quote.length };
}

/**
 * Splits a text where marks and found words begin and end. The segments joined are the text again. Found words are in
 * order and do not overlap.
 */
export function segmentsOf(
  text: string,
  ranges: readonly MarkRange[],
  found: readonly Pick<MarkRange, 'start' | 'end'>[] = [],
): Segment[] {
  const valid = ranges.filter(({ start, end }) => start >= 0 && start < end && end <= text.length);
  const bounds = [...new Set([0, text.length, ...[...valid, ...found].flatMap(({ start, end }) => [start, end])])].sort(
    (a, b) => a - b,
  );
  const segments: Segment[] = [];
  let next = 0;
  for (const [at, start] of bounds.entries()) {
    const end = bounds[at + 1];
    if (end === undefined) break;
    while ((found[next]?.end ?? Infinity) <= start) next += 1;
    const words = found[next];
    const over = valid.filter((range) => range.start <= start && range.end >= end);
    segments.push({
      text: text.slice(start, end),
      kind: MARK_KINDS.find((kind) => over.some((range) => range.kind === kind)),
      evidenceIds: [...new Set(over.map(({ evidenceId }) => evidenceId))],
      foundAt: words !== undefined && words.start <= start ? words.start : undefined,
    });
  }
  return segments;
}
