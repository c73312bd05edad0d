import { normaliseWord, type Sentence } from '../text/sentences.ts';

/** Most common words of the languages that the vocabularies cover. */
const FUNCTION_WORDS: readonly string[] = [
  // English
  'the a an and or but of to in on at for from with by is are was were be been am do does did have has had can could ' +
    'will would should may might must i you he she it we they me him her us them my your his its our their this that ' +
    'these those there here what which who when where why how if then than as so still again really not no yes please just also about into ' +
    "i'm you're it's that's don't can't let ok okay hi hello thanks thank",
  // German
  'der die das den dem des ein eine einen einem einer und oder aber von zu zum zur in im am auf fur mit bei ist sind war ' +
    'waren sein hat haben hatte kann konnen wird werden ich du er sie es wir ihr mich mir dich ihnen mein meine ihre ihr ' +
    'ihren unser dies diese dieser nicht kein ja nein bitte auch nur was wer wann wo wie wenn dass als so noch schon denn mal doch eigentlich',
  // French
  'le la les un une des et ou mais de du au aux en dans sur pour avec par est sont etait etre a ai as avons avez ont ' +
    'je tu il elle nous vous ils elles me te se mon ma mes votre vos notre nos ce cet cette ces ne pas oui non sil plait ' +
    'que qui quoi quand comment si alors aussi jai cest',
  // Spanish
  'el la los las un una unos y o pero de del al en con por para es son era ser estar esta estan ha he han hay yo tu el ' +
    'ella usted nosotros ustedes me te se le lo mi mis su sus nuestro este esta estos no si que quien cuando donde como ' +
    'tambien muy favor',
  // Portuguese
  'o a os as um uma uns e ou mas de do da dos das no na nos nas em com por para e sao era ser estar esta estao foi ' +
    'tem ha eu voce ele ela nos voces me te se lhe meu minha seu sua nosso este esta isso nao sim que quem quando onde ' +
    'como tambem muito favor',
];

const BY_LANGUAGE = FUNCTION_WORDS.map((list) => new Set(list.split(' ').map(normaliseWord)));
const ALL = new Set(BY_LANGUAGE.flatMap((list) => [...list]));
/** Languages of each word, by their positions. */
const LANGUAGES_OF = new Map(
  [...ALL].map((word) => [word, BY_LANGUAGE.flatMap((list, index) => (list.has(word) ? [index] : []))]),
);

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt'];

/** Shares of function words of each known language among some words, the largest first. */
export function languageShares(words: readonly string[]): { language: string; share: number }[] {
  const counts = LANGUAGES.map(() => 0);
  for (const word of words) for (const index of LANGUAGES_OF.get(word) ?? []) counts[index] = (counts[index] ?? 0) + 1;
  return LANGUAGES.map((language, index) => ({
    language,
    share: (counts[index] ?? 0) / Math.max(1, words.length),
  })).sort((left, right) => right.share - left.share);
}

const KNOWN_LANGUAGE_SHARE = 0.25;
const MIN_WORDS = 4;

/** Tells whether a normalized word carries no content of its own. */
export function isFunctionWord(word: string): boolean {
  return ALL.has(word);
}

/**
 * Tells whether a text is in a language whose vocabulary is known. Only there is the absence of a phrase meaningful: an
 * apology in Finnish is an apology too.
 */
export function isKnownLanguage(sentences: readonly Sentence[]): boolean {
  const words = sentences.flatMap((sentence) => sentence.tokens.map((token) => token.text));
  if (words.length < MIN_WORDS) return false;
  return BY_LANGUAGE.some(
    (list) => words.filter((word) => list.has(word)).length / words.length >= KNOWN_LANGUAGE_SHARE,
  );
}
