import { normalised } from '@clew/kernel';
import { foldedText } from './folded-text.ts';

/** Share of the content words that must occur in the quotes. */
const MIN_SHARE_OF_WORDS = 0.5;
const STEM_LENGTH = 4;

const NEGATIONS = new Set([
  ...['no', 'not', 'never', 'none', 'nobody', 'nothing', 'nowhere', 'neither', 'nor', 'without', 'cannot', 'unless'],
  ...['nicht', 'kein', 'keine', 'keinen', 'nie', 'niemals', 'ohne', 'pas', 'jamais', 'sans', 'nunca', 'sin', 'non'],
]);
const NEGATED_VERB = /^\p{L}+n't$/u;
const NEGATED_SCRIPTS = /[不没非无未]|ません|ない/u;

const NUMBER_WORDS = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
];

/** Words that only tell who is spoken of and how, without content. */
const PLAIN_WORDS = new Set(
  [
    'the a an and or but if when while for to in on at of by with from as into than then that this these those it its',
    'they them their he she his her we our you your who whom whose which what where how why is are was were be been',
    'being am do does did done has have had will would shall should can could may might must also only just very',
    'user users customer customers client clients person people assistant agent tool team project company',
    'want wants wanted prefer prefers preferred like likes need needs needed ask asks asked say says said state states',
    'stated use uses used using make makes always usually about after before there here all each every any some',
    'according one mentioned mentions requires required require',
  ]
    .join(' ')
    .split(' '),
);

/** Collects numbers in comparable form: digits without thousands separators; small numbers also from words. */
function numbersOf(folded: string): Set<string> {
  const digits = [...folded.matchAll(/\p{Nd}+(?:[.,]\p{Nd}+)*/gu)].map(([number]) =>
    number.replaceAll(/[,.](?=\p{Nd}{3}(?!\p{Nd}))/gu, ''),
  );
  const words = wordsOf(folded)
    .map((word) => NUMBER_WORDS.indexOf(word))
    // "One" is a pronoun more often than a number.
    .filter((number) => number === 0 || number > 1);
  return new Set([...digits, ...words.map(String)]);
}

function wordsOf(folded: string): string[] {
  return folded.replaceAll('’', "'").match(/[\p{L}\p{Nd}]+(?:['_@.-][\p{L}\p{Nd}]+)*/gu) ?? [];
}

function isNegated(folded: string): boolean {
  const isNegation = (word: string) => NEGATIONS.has(word) || NEGATED_VERB.test(word);
  return wordsOf(folded).some(isNegation) || NEGATED_SCRIPTS.test(folded);
}

interface Names {
  /** Words with an internal capital, or a capital that is not due to the start of a sentence; and addresses. */
  certain: string[];
  /** Words that are capitalized only at the start of a sentence. */
  possible: string[];
}

const BEFORE_SENTENCE = /[.!?:"“(]/;

/** Returns the last character before a place that is not white space; empty if there is none. */
function characterBefore(text: string, place: number): string {
  let at = place - 1;
  while (/\s/.test(text.charAt(at))) at -= 1;
  return text.charAt(at);
}

/** Finds the words that may be names. */
function namesOf(text: string): Names {
  const visible = normalised(text, 'NFKC').replaceAll(/\p{Cf}/gu, '');
  const names: Names = { certain: [], possible: [] };
  for (const match of visible.matchAll(/[\p{L}\p{Nd}]+(?:['’_@./:-]+[\p{L}\p{Nd}]+)*/gu)) {
    const [word] = match;
    const before = characterBefore(visible, match.index);
    const begins = before === '' || BEFORE_SENTENCE.test(before);
    const isMixed = /\p{L}/u.test(word) && /\p{Nd}/u.test(word);
    const isWithin = isMixed || /\p{Lu}/u.test(word.slice(1)) || /[@_/]/.test(word);
    if (word === 'I' || PLAIN_WORDS.has(foldedText(word))) continue;
    if (isWithin || (!begins && /^\p{Lu}/u.test(word))) names.certain.push(word);
    else if (/^\p{Lu}/u.test(word)) names.possible.push(word);
  }
  return names;
}

function stemOf(word: string): string {
  return word.length > STEM_LENGTH ? word.slice(0, STEM_LENGTH) : word;
}

/** Splits a text into units of meaning: stems of words; for scripts without spaces, pairs of characters. */
function meaningOf(folded: string): string[] {
  return wordsOf(folded).flatMap((word) => {
    if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(word)) {
      const characters = [...word];
      return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
    }
    if (PLAIN_WORDS.has(word) || NEGATIONS.has(word) || NEGATED_VERB.test(word)) return [];
    return word.length < 3 || NUMBER_WORDS.includes(word) ? [] : [stemOf(word)];
  });
}

/** Tells whether all clauses about the same subject are negated. */
function isOnlyDenied(meaning: readonly string[], quoted: string): boolean {
  const clauses = quoted.split(/[.!?;,\n]+/u).filter((clause) => {
    const stems = new Set(meaningOf(clause));
    return meaning.some((stem) => stems.has(stem));
  });
  return clauses.length > 0 && clauses.every(isNegated);
}

/**
 * Tells whether a statement may follow from the quotes, judging by its words. Each of its numbers and names must occur
 * in them. It may be negated only if one of them is, and may not assert something that they only negate. Half of its
 * content words must occur in them. Whether it really follows takes a reader who understands it.
 */
export function mayFollow(statement: string, quotes: readonly string[]): boolean {
  if (quotes.length === 0) return false;
  const [said, shown] = [foldedText(statement), quotes.map(foldedText)];
  const all = shown.join('\n');
  const numbers = numbersOf(all);
  if (![...numbersOf(said)].every((number) => numbers.has(number))) return false;
  const words = new Set(wordsOf(all));
  const occurs = (name: string) => wordsOf(foldedText(name)).every((word) => words.has(word) || words.has(`${word}s`));
  const names = namesOf(statement);
  if (!names.certain.every(occurs)) return false;
  const meaning = meaningOf(said);
  if (isNegated(said) ? !isNegated(all) : isOnlyDenied(meaning, all)) return false;
  const stems = new Set(meaningOf(all));
  // "Refunds" at the beginning may stand for "refunded"; "Mallory" stands for nobody else.
  if (!names.possible.every((name) => meaningOf(foldedText(name)).every((stem) => stems.has(stem)))) return false;
  const found = meaning.filter((stem) => stems.has(stem)).length;
  return meaning.length > 0 && found >= meaning.length * MIN_SHARE_OF_WORDS;
}
