import { isAscii } from '@clew/kernel';
import { tokensOf } from '../text/sentences.ts';
import { languageShares } from './function-words.ts';

const MIN_WORDS = 8;
const MIN_LETTERS = 20;
const MIN_SHARE = 0.2;
/** Factor by which the top language must exceed the next: many share `a`, `de`, `no`. */
const LEAD = 1.6;
const HEAD_LENGTH = 4000;

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['cyrillic', /\p{Script=Cyrillic}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['th', /\p{Script=Thai}/gu],
];

/** Detects the language of a text, if it is clear: by its script, or by the function words of the known languages. */
export function languageOf(text: string): string | undefined {
  const head = withoutCode(text.slice(0, HEAD_LENGTH));
  const letters = countLetters(head);
  const script = scriptOf(head, letters);
  if (script !== undefined) return script;
  const words = tokensOf(head).map((token) => token.text);
  if (words.length < MIN_WORDS || letters < MIN_LETTERS) return undefined;
  const [first, second] = languageShares(words);
  if (first === undefined || first.share < MIN_SHARE) return undefined;
  return first.share >= LEAD * (second?.share ?? 0) ? first.language : undefined;
}

/** Counts the letters; of a plain text without an object for each. */
function countLetters(text: string): number {
  if (!isAscii(text)) return text.match(/\p{L}/gu)?.length ?? 0;
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) {
    // Setting this bit turns upper case into lower case; what else it turns is no letter.
    const code = text.charCodeAt(index) | 0x20;
    if (code >= 97 && code <= 122) letters += 1;
  }
  return letters;
}

function scriptOf(text: string, letters: number): string | undefined {
  if (letters < 6 || /^[\0-\u02ff\s]*$/.test(text)) return undefined;
  const counts = SCRIPTS.map(([language, pattern]) => [language, text.match(pattern)?.length ?? 0] as const);
  const japanese = counts[0]?.[1] ?? 0;
  // Japanese text is mostly Han characters; Chinese text never contains kana.
  if (japanese > 0 && japanese + (counts[1]?.[1] ?? 0) > letters / 2) return 'ja';
  return counts.find(([, count]) => count > letters / 2)?.[0];
}

function withoutCode(text: string): string {
  return text.replace(/```[^`]*(?:```|$)/g, ' ').replace(/`[^`\n]{0,200}`/g, ' ');
}
