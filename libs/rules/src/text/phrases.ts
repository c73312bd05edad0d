import { markOf, normaliseWord, tokensOf, type Sentence, type Token } from './sentences.ts';

/** Position of a phrase from the vocabulary. */
export interface PhraseMatch {
  readonly start: number;
  readonly end: number;
  readonly tokenIndex: number;
}

/** Compiled vocabulary. */
export interface PhraseSet {
  readonly compiled: CompiledPhrases;
}

interface CompiledPhrases {
  /** Phrases as a tree of words. */
  readonly root: PhraseNode;
  /** Marks that first words have: nonzero at each; at all of them if a phrase may begin with any word. */
  readonly firstMarks: Uint8Array;
}

interface PhraseNode {
  isEnd: boolean;
  readonly next: Map<string, PhraseNode>;
}

/** Wildcard of a pattern for up to this many words of any kind. */
const GAP = '…';
const MAX_GAP_WORDS = 5;

const GROUP = /\(([^()]*)\)/;

/**
 * Compiles patterns: words separated by spaces, `(a|b c|)` for alternatives, ` … ` for a few words in between.
 * Apostrophes, case and accents do not matter. The cost of a search does not grow with the size of the vocabulary. The
 * work is done at the first search: most processes that load the Rules only name them.
 */
export function compilePhrases(patterns: readonly string[]): PhraseSet {
  let compiled: CompiledPhrases | undefined;
  return {
    get compiled() {
      return (compiled ??= withMarks(treeOf(patterns)));
    },
  };
}

function withMarks(root: PhraseNode): CompiledPhrases {
  const firstMarks = new Uint8Array(256);
  for (const word of root.next.keys()) firstMarks[markOf(word)] = 1;
  return { root, firstMarks: root.isEnd || root.next.has(GAP) ? firstMarks.fill(1) : firstMarks };
}

function treeOf(patterns: readonly string[]): PhraseNode {
  const root = newNode();
  for (const phrase of patterns.flatMap(expand)) {
    const words = phrase.split(/\s+/).filter((word) => word !== '');
    if (words.length === 0) continue;
    let node = root;
    for (const word of words) node = childOf(node, word === GAP ? GAP : normaliseWord(word));
    node.isEnd = true;
  }
  return root;
}

/** Vocabulary without a phrase: most projects have no keywords of their own. */
export const NO_PHRASES = compilePhrases([]);

/** Compiles a project's own keywords: each one is a literal phrase. */
export function compileKeywords(keywords: readonly string[]): PhraseSet {
  if (keywords.length === 0) return NO_PHRASES;
  return compilePhrases(
    keywords.map((keyword) =>
      tokensOf(keyword)
        .map((token) => token.text)
        .join(' '),
    ),
  );
}

/** Finds the first phrase of the vocabulary in a sentence. */
export function findPhrase({ compiled }: PhraseSet, { tokens }: Sentence): PhraseMatch | undefined {
  const { root, firstMarks } = compiled;
  for (let index = 0; index < tokens.length; index += 1) {
    const first = tokens[index];
    // Most words begin no phrase and are skipped quickly.
    if (first === undefined || firstMarks[first.mark] === 0) continue;
    const endIndex = matchFrom(root, tokens, index);
    const last = endIndex === undefined ? undefined : tokens[endIndex - 1];
    if (last !== undefined) return { start: first.start, end: last.end, tokenIndex: index };
  }
  return undefined;
}

/** Tells whether any of the sentences contains a phrase of the vocabulary. */
export function hasPhrase(phrases: PhraseSet, sentences: readonly Sentence[]): boolean {
  return sentences.some((sentence) => findPhrase(phrases, sentence) !== undefined);
}

/** Returns the index after the last word of a phrase that begins at `index`. */
function matchFrom(node: PhraseNode, tokens: readonly Token[], index: number): number | undefined {
  if (node.isEnd) return index;
  const token = tokens[index];
  const next = token === undefined ? undefined : node.next.get(token.text);
  const direct = next === undefined ? undefined : matchFrom(next, tokens, index + 1);
  if (direct !== undefined) return direct;
  const afterGap = node.next.get(GAP);
  if (afterGap === undefined) return undefined;
  for (let skipped = 0; skipped <= MAX_GAP_WORDS; skipped += 1) {
    const end = matchFrom(afterGap, tokens, index + skipped);
    if (end !== undefined) return end;
  }
  return undefined;
}

function expand(pattern: string): string[] {
  const group = GROUP.exec(pattern);
  if (group === null) return [pattern];
  const before = pattern.slice(0, group.index);
  const after = pattern.slice(group.index + group[0].length);
  return (group[1] ?? '').split('|').flatMap((alternative) => expand(`${before}${alternative}${after}`));
}

function newNode(): PhraseNode {
  return { isEnd: false, next: new Map() };
}

function childOf(node: PhraseNode, word: string): PhraseNode {
  const existing = node.next.get(word);
  if (existing !== undefined) return existing;
  const created = newNode();
  node.next.set(word, created);
  return created;
}
