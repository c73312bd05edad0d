import { allMatches, normalised } from '@clew/kernel';
import type { Span } from './span.ts';

// Bounded, because an endless run of letters would exhaust the stack of the engine; no name is longer.
const WORD = /[\p{L}\p{M}\p{N}_]{1,100}/gu;
const BETWEEN_WORDS = /^[ \u00a0.'’-]{0,3}$/;
const MAX_WORDS = 8;
/** Parts of names that name nobody. */
const TITLES: ReadonlySet<string> = new Set(
  'mr mrs ms miss mx dr prof sir dame herr frau jr sr ii iii von van der den de la le del da di do dos and'.split(' '),
);
/** Parts of names that are words of their own: alone they are replaced only where the name was given alone. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  `will may mark grace joy hope rose faith young king long short brown white black green june april august summer bill
  drew chase grant rich dean guy rob sue art ray gene max jean stone price banks wells field page bush fox wolf day
  lane case cook baker miller smart love good best rice bell hall park wood woods hill hills rivers west east north
  south small little power church street road frank earnest major christian page read reed english french new
  an so he ha ho go do to an my me in on`.split(/\s+/),
);

interface Node {
  readonly next: Map<string, Node>;
  /** Key of the name that ends here. */
  key?: string;
  /** Tells whether a word without a capital letter is no name here. */
  isCapitalOnly?: boolean;
}

/** Finder of names: the known names, word by word. */
export type NameFinder = (text: string) => Generator<Span>;

/** Makes a finder of names of persons, as a whole and by their parts: Sara Doe is meant by Sara, too. */
export function createNameFinder(names: readonly string[]): NameFinder {
  const root: Node = { next: new Map() };
  const wordsOf = (name: string) => [...allMatches(name, WORD)].map(([word]) => fold(word)).slice(0, MAX_WORDS);
  const byLength = names
    .map((name) => ({ name, words: wordsOf(name) }))
    .toSorted((a, b) => b.words.length - a.words.length);
  for (const { name, words } of byLength) {
    const key = words.join(' ');
    add(root, words, key, words.length === 1 && COMMON_WORDS.has(key));
    for (const part of words.length > 1 ? name.split(/\s+/).map(wordsOf) : []) {
      const isNamed = part.some((word) => word.length > 1 && !TITLES.has(word));
      const isCommon = part.length === 1 && COMMON_WORDS.has(part[0] ?? '');
      if (isNamed && !isCommon) add(root, part, key, part.join('').length < 4);
    }
  }
  return (text) => namesIn(text, root);
}

function add(root: Node, words: readonly string[], key: string, isCapitalOnly: boolean): void {
  let node = root;
  for (const word of words) {
    const next: Node = node.next.get(word) ?? { next: new Map() };
    node.next.set(word, next);
    node = next;
  }
  if (words.length > 0 && node.key === undefined) Object.assign(node, { key, isCapitalOnly });
}

interface Word {
  readonly folded: string;
  readonly isCapital: boolean;
  readonly start: number;
  readonly end: number;
}

function* namesIn(text: string, root: Node): Generator<Span> {
  if (root.next.size === 0) return;
  const words = [...allMatches(text, WORD)].map(({ 0: word, index }): Word => {
    return { folded: fold(word), isCapital: /^\p{Lu}/u.test(word), start: index, end: index + word.length };
  });
  let from = 0;
  for (const [first, { start }] of words.entries()) {
    const found = start < from ? undefined : longestName(text, words.slice(first, first + MAX_WORDS), root);
    if (found === undefined) continue;
    yield { kind: 'name', start, ...found };
    from = found.end;
  }
}

/** Finds the longest name that begins with the first of the words. */
function longestName(text: string, words: readonly Word[], root: Node): { end: number; key: string } | undefined {
  let node = root;
  let before: Word | undefined;
  let found: { end: number; key: string } | undefined;
  for (const word of words) {
    const next = node.next.get(word.folded);
    const between = before === undefined ? '' : text.slice(before.end, Math.min(word.start, before.end + 4));
    if (next === undefined || !BETWEEN_WORDS.test(between)) break;
    const isName = next.isCapitalOnly !== true || word.isCapital;
    if (next.key !== undefined && isName) found = { end: word.end, key: next.key };
    node = next;
    before = word;
  }
  return found;
}

/** Folds case and accents, in which names differ from one message to the next. */
function fold(word: string): string {
  const lower = word.toLowerCase();
  return /^[\w]+$/.test(lower) ? lower : normalised(lower, 'NFD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss');
}
