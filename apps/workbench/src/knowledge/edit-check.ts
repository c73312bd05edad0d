/** Number with its separators and percent sign. */
const NUMBER = /\d+(?:[.,:/-]\d+)*%?/gu;
/** Capitalised word that does not begin a sentence. */
const NAME = /(?<=[\p{L}\p{N},;:)'’"”][ \t])\p{Lu}[\p{L}\p{N}'’-]*/gu;
const SEPARATED_THOUSANDS = /^\d{1,3}(?:[.,]\d{3})+$/u;
const WORD = /[\p{L}\p{N}'’-]+/gu;
/** Words that are written with a capital letter without naming anything. */
const NO_NAMES: ReadonlySet<string> = new Set(['i', "i'm", "i'd", "i'll", "i've"]);

/**
 * Numbers and names of a text that stand in none of the quotes, each once: what a person has added from elsewhere, or a
 * model has made up. A hint and no proof, since a name may stand at the beginning of a sentence.
 */
export function unquotedTerms(text: string, quotes: readonly string[]): string[] {
  const said = quotes.map((quote) => quote.normalize('NFKC')).join('\n');
  const numbers = new Set(matchesOf(said, NUMBER).map(plainNumber));
  const words = new Set(matchesOf(said, WORD).flatMap(formsOf));
  const own = text.normalize('NFKC');
  const missing = [
    ...matchesOf(own, NUMBER).filter((number) => !numbers.has(plainNumber(number))),
    ...matchesOf(own, NAME).filter((name) => !formsOf(name).some((form) => words.has(form) || NO_NAMES.has(form))),
  ];
  return [...new Set(missing)];
}

function matchesOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([match]) => match);
}

/** Number without the separators of thousands and without a percent sign. */
function plainNumber(number: string): string {
  const digits = number.replace(/%$/u, '');
  return SEPARATED_THOUSANDS.test(digits) ? digits.replace(/[.,]/gu, '') : digits;
}

/** Word in small letters, also without the `'s` of a possessive. */
function formsOf(word: string): string[] {
  const small = word.toLowerCase().replaceAll('’', "'");
  return [small, small.replace(/'s?$/u, '')];
}
