import { MASK_OF_CATEGORY, type MaskKind, type MaskingPattern } from '@clew/contracts';
import { allMatches } from '@clew/kernel';

/** Mask of a kind of value, or of an own pattern by its name. */
export function maskOf(name: string): string {
  return `[masked ${name}]`;
}

/** Mask of an own pattern. */
export function maskOfPattern({ name, replacement }: MaskingPattern): string {
  return replacement ?? maskOf(name);
}

const IN_BRACKETS = /\[[A-Za-z0-9][A-Za-z0-9 _-]{0,60}\]/g;
const BUILT_IN_MASKS: ReadonlyMap<string, MaskKind> = new Map(
  Object.values(MASK_OF_CATEGORY).map((kind) => [maskOf(kind), kind]),
);

/** Mask in a text. */
export interface FoundMask {
  readonly kind: MaskKind;
  readonly start: number;
  readonly end: number;
}

/** Finds the masks of built-in kinds in a text, in order. */
export function masksIn(text: string): FoundMask[] {
  if (!text.includes('[masked ')) return [];
  return [...allMatches(text, IN_BRACKETS)].flatMap(({ 0: mask, index }) => {
    const kind = BUILT_IN_MASKS.get(mask);
    return kind === undefined ? [] : [{ kind, start: index, end: index + mask.length }];
  });
}

/** Splits a text at given masks: the odd parts are masks, the even ones are the text between them. */
export function splitAtMasks(text: string, masks: ReadonlySet<string>): string[] {
  if (!text.includes('[')) return [text];
  const parts: string[] = [];
  let from = 0;
  for (const { 0: mask, index } of allMatches(text, IN_BRACKETS)) {
    if (!masks.has(mask)) continue;
    parts.push(text.slice(from, index), mask);
    from = index + mask.length;
  }
  return [...parts, text.slice(from)];
}

/** Masks that a project can have: the built-in ones and those of its patterns. */
export function masksOf(patterns: readonly MaskingPattern[]): Set<string> {
  return new Set([...BUILT_IN_MASKS.keys(), ...patterns.map(maskOfPattern)]);
}
