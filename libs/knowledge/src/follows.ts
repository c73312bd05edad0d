import { normalised } from '@clew/kernel';
import { listenerWords, withoutAddressee } from './addressees.ts';
import { foldedText } from './folded-text.ts';
import { amountsOfTime, claimedNumbers, givenNumbers, isNumberWord } from './numbers.ts';
import type { TextRange } from './quote-lock.ts';
import type { QuotedWords } from './quoted-words.ts';
import { derivableDates, withoutDays } from './relative-dates.ts';
import { wordsOf } from './words.ts';

/** Share of the content words that must occur in the quotes. */
const MIN_SHARE_OF_WORDS = 0.5;
const STEM_LENGTH = 4;

const NEGATIONS = new Set([
  ...['no', 'not', 'never', 'none', 'nobody', 'nothing', 'nowhere', 'neither', 'nor', 'without', 'cannot', 'unless'],
  ...['nicht', 'kein', 'keine', 'keinen', 'nie', 'niemals', 'ohne', 'pas', 'jamais', 'sans', 'nunca', 'sin', 'non'],
]);
/** Words, and capitalized ones; both are bounded as those of `wordsOf` are. */
const NAME_LIKE = /[\p{L}\p{Nd}]{1,999}(?:['’_@./:-]{1,9}[\p{L}\p{Nd}]{1,999}){0,99}/gu;
const CAPITALIZED = /\p{Lu}[\p{L}\p{Nd}'’-]{0,999}/gu;
const NEGATED_VERB = /^\p{L}+n't$/u;
const NEGATED_SCRIPTS = /[不没非无未]|ません|ない/u;

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
  for (const match of visible.matchAll(NAME_LIKE)) {
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
    return word.length < 3 || isNumberWord(word) ? [] : [stemOf(word)];
  });
}

/** Tells whether a text has words with a content of their own, so that something can be known from it. */
export function hasMeaning(text: string): boolean {
  return meaningOf(foldedText(text)).length > 0;
}

/** Tells whether all clauses about the same subject are negated. */
function isOnlyDenied(meaning: readonly string[], quoted: string): boolean {
  const clauses = quoted.split(/[.!?;,\n]+/u).filter((clause) => {
    const stems = new Set(meaningOf(clause));
    return meaning.some((stem) => stems.has(stem));
  });
  return clauses.length > 0 && clauses.every(isNegated);
}

/** Words that the quotes give: their words, and those that their speakers and dates add. */
interface Given {
  folded: string;
  /** Words that a name in the statement may consist of. */
  names: ReadonlySet<string>;
  /** Words of the names of those whom the quotes call "you", "we" or by name. */
  listeners: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  amounts: ReadonlySet<string>;
  /** Times of the messages, whose days and months may be told: "as of May 2026". */
  days: readonly number[];
}

/** Names, in folded words, of all who speak in a conversation; nobody's words are put into another's mouth. */
export type People = ReadonlySet<string>;

const NOBODY: People = new Set();

/** Collects the names of those who speak. */
export function peopleOf(messages: readonly { name?: string | undefined }[]): People {
  return new Set(messages.flatMap(({ name }) => (name === undefined ? [] : wordsOf(foldedText(name)))));
}

/** Gives the capitalized words that are said anywhere in a conversation, folded. */
export type Mentioned = () => ReadonlySet<string>;

/**
 * Collects the capitalized words of messages that are wholly untainted, folded: among them are the names of persons and
 * things.
 */
export function mentionedIn<Message extends { content: string }>(
  messages: readonly Message[],
  isTainted: (message: Message, range: TextRange) => boolean,
): ReadonlySet<string> {
  const capitalized = messages.flatMap((message) => {
    const { content } = message;
    const isTrusted = !isTainted(message, { start: 0, end: content.length });
    return isTrusted ? (content.match(CAPITALIZED) ?? []) : [];
  });
  return new Set(wordsOf(foldedText([...new Set(capitalized)].join(' '))));
}

/**
 * Tells whether the numbers and names of a statement come from the quotes, and some of its words do. The name of a
 * speaker counts as said in that speaker's words; a person who is only addressed does not. The parts of a date count if
 * the quote means it relative to the time of its message; "two weeks" and "14 days" are the same. With `mentioned`, what
 * other messages of the conversation name may be named too ("the bag" is the Heron bag), but of the speakers only the
 * one whom a quote speaks to.
 */
export function isFoundedOn(
  statement: string,
  quotes: readonly QuotedWords[],
  people: People = NOBODY,
  mentioned?: Mentioned,
): boolean {
  if (quotes.length === 0) return false;
  const given = givenBy(quotes);
  const stems = stemsOf(given);
  return (
    hasNamesAndNumbers(statement, given, people, mentioned) &&
    meaningOf(foldedText(statement)).some((stem) => stems.has(stem))
  );
}

/**
 * Tells whether the numbers and names of a statement come from the quotes, or are named among what is `mentioned`, as in
 * `isFoundedOn`. Its other words may be any.
 */
export function namesOnlyGiven(statement: string, quotes: readonly QuotedWords[], mentioned?: Mentioned): boolean {
  return hasNamesAndNumbers(statement, givenBy(quotes), NOBODY, mentioned);
}

/**
 * Tells whether a statement may follow from the quotes, judging by its words. Each of its numbers and names must occur
 * in them (see `isFoundedOn`). It may be negated only if one of them is, and may not assert something that
 * they only negate. Half of its content words must occur in them. Whether it really follows takes a reader who
 * understands it.
 */
export function mayFollow(statement: string, quotes: readonly QuotedWords[], people: People = NOBODY): boolean {
  if (quotes.length === 0) return false;
  const given = givenBy(quotes);
  if (!hasNamesAndNumbers(statement, given, people)) return false;
  const said = foldedText(statement);
  const meaning = meaningOf(said);
  if (isNegated(said) ? !isNegated(given.folded) : isOnlyDenied(meaning, given.folded)) return false;
  return beginsWithGiven(statement, given) && hasShareOfWords(statement, given);
}

/**
 * Tells whether a title may head an item: it has no number and no name that the quotes and the item's content lack, and
 * half of its words are theirs, so that nothing is planted in it.
 */
export function mayHead(title: string, quotes: readonly QuotedWords[], people: People = NOBODY): boolean {
  const given = givenBy(quotes);
  return hasNamesAndNumbers(title, given, people) && beginsWithGiven(title, given) && hasShareOfWords(title, given);
}

/** Tells whether each word of a name stands in the quotes, or belongs to the name of their speaker or of their "you". */
export function areGivenWords(name: string, quotes: readonly QuotedWords[]): boolean {
  const { names, listeners } = givenBy(quotes);
  const words = wordsOf(foldedText(name)).filter((word) => !PLAIN_WORDS.has(word));
  return words.length > 0 && words.every((word) => isAmong(word, names) || isAmong(word, listeners));
}

function hasShareOfWords(statement: string, given: Given): boolean {
  const meaning = meaningOf(foldedText(statement));
  const stems = stemsOf(given);
  const found = meaning.filter((stem) => stems.has(stem)).length;
  return meaning.length > 0 && found >= meaning.length * MIN_SHARE_OF_WORDS;
}

/** Whether capitals at the beginning of sentences are given: "Refunds" may stand for "refunded", "Mallory" for nobody else. */
function beginsWithGiven(statement: string, given: Given): boolean {
  const stems = stemsOf(given);
  return namesOf(statement).possible.every((name) => meaningOf(foldedText(name)).every((stem) => stems.has(stem)));
}

function stemsOf({ folded, names }: Given): Set<string> {
  return new Set([...meaningOf(folded), ...[...names].map(stemOf)]);
}

function givenBy(quotes: readonly QuotedWords[]): Given {
  const texts = quotes.map(({ text }) => foldedText(text));
  const dates = quotes.map(({ atMs }, at) => derivableDates(texts[at] ?? '', atMs));
  const spoken = quotes.flatMap(({ text, speaker }) => {
    const words = wordsOf(foldedText(withoutAddressee(text)));
    return speaker === undefined ? words : [...words, ...wordsOf(foldedText(speaker))];
  });
  return {
    folded: texts.join('\n'),
    names: new Set([...spoken, ...dates.flatMap(({ words }) => [...words])]),
    listeners: new Set(quotes.flatMap(listenerWords)),
    numbers: new Set([
      ...texts.flatMap((text) => [...givenNumbers(text)]),
      ...dates.flatMap(({ numbers }) => [...numbers]),
    ]),
    amounts: new Set(texts.flatMap((text) => [...amountsOfTime(text).values()])),
    days: quotes.flatMap(({ atMs }) => (atMs === undefined ? [] : [atMs])),
  };
}

function hasNamesAndNumbers(
  whole: string,
  { names, listeners, numbers, amounts, days }: Given,
  people: People,
  mentioned?: Mentioned,
): boolean {
  const statement = withoutDays(whole, days);
  const said = foldedText(statement);
  const times = amountsOfTime(said);
  const isGiven = (number: string) => numbers.has(number) || amounts.has(times.get(number) ?? '');
  if (![...claimedNumbers(said)].every(isGiven)) return false;
  const { certain, possible } = namesOf(statement);
  const isGivenName = (name: string) =>
    wordsOf(foldedText(name)).every(
      (word) =>
        isNumberWord(word) ||
        isAmong(word, names) ||
        (mentioned !== undefined &&
          (isAmong(word, listeners) || (!isAmong(word, people) && isAmong(word, mentioned())))),
    );
  return [...certain, ...possible.filter((name) => isAmong(foldedText(name), people))].every(isGivenName);
}

/** Whether a word is among others, also as a possessive or a plural. */
function isAmong(word: string, others: ReadonlySet<string>): boolean {
  const plain = word.replace(/'s?$/, '');
  const forms = [word, plain, `${plain}s`, `${plain}'s`, ...(plain.endsWith('s') ? [plain.slice(0, -1)] : [])];
  return forms.some((form) => others.has(form));
}
