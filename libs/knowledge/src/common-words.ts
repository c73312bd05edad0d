import { foldedText } from './folded-text.ts';
import { wordsOf } from './words.ts';

const MIN_WORD_LENGTH = 4;

/** Distinct words that tell what a statement is about: longer ones, and those with digits. */
export function tellingWords(statement: string): Set<string> {
  const words = wordsOf(foldedText(statement)).map((word) => word.replace(/'s?$/, ''));
  return new Set(words.filter((word) => word.length >= MIN_WORD_LENGTH || /\p{N}/u.test(word)));
}

/** Share (0 to 1) of the telling words of two statements that both have. */
export function shareOfCommonWords(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared / (one.size + other.size - shared || 1);
}
