import { foldedText } from './folded-text.ts';
import type { QuotedWords } from './quoted-words.ts';
import { wordsOf } from './words.ts';

/** Words of somebody who speaks to another one, or of both. */
const TO_LISTENER =
  /\b(?:you|your|yours|yourself|you'(?:re|ve|ll|d)|du|dich|dir|deine?[mnrs]?|Sie|Ihnen|Ihre?[mnrs]?|vous|votre|vos|usted|[Ww]e|[Uu]s|[Oo]urs?|[Ww]ir|[Uu]nsere?[mnrs]?|[Uu]ns|[Nn]ous|[Nn]otre|[Nn]os|[Nn]osotros)\b/;
/** Words of somebody who speaks of himself. */
const OF_SELF =
  /\b(?:I|I'[a-z]{1,3}|[Mm]y|[Mm]e|[Mm]ine|[Ii]ch|[Mm]ich|[Mm]ir|[Mm]eine?[mnrs]?|[Jj]e|[Mm]on|[Mm]a|[Yy]o)\b/;
/** Words of somebody who speaks of himself, or to somebody. */
const BETWEEN_PERSONS = /\b(?:I|I'[a-z]{1,3}|my|me|we|our|us|you|your|ich|wir|meine?[mnrs]?|du|Sie)\b/;
/** Name that is only addressed, at the beginning of a sentence or after a greeting there: "Ben, I moved". */
const ADDRESSED =
  /(?<=^|[.!?] |\n ?)(?:(?:[Hh]i|[Hh]ey|[Hh]ello|[Dd]ear|[Tt]hanks|[Tt]hank you|[Hh]allo|[Dd]anke|[Ll]iebe[rs]?),? )?\p{Lu}[\p{L}'-]{1,40}(?=[,!])/gu;
/** The same at the end of a sentence: "I moved, Ben." */
const ADDRESSED_LAST = /, \p{Lu}[\p{L}'-]{1,40}(?=[.!?]|$)/gu;

/** Words of the name of the one whom a quote calls "you" or by name, or counts in with "we". */
export function listenerWords({ text, listener }: QuotedWords): string[] {
  if (listener === undefined) return [];
  const words = wordsOf(foldedText(listener));
  return TO_LISTENER.test(text.replaceAll('’', "'")) || addresses(text, words) ? words : [];
}

/** Tells whether a text calls somebody by name, as a greeting does, and does not speak of its speaker. */
function addresses(text: string, name: readonly string[]): boolean {
  const plain = text.replaceAll('’', "'");
  if (OF_SELF.test(plain)) return false;
  const called = [...plain.matchAll(ADDRESSED), ...plain.matchAll(ADDRESSED_LAST)].map(([words]) => words);
  return wordsOf(foldedText(called.join(' '))).some((word) => name.includes(word));
}

/** Removes the names of those whom the words only address. */
export function withoutAddressee(text: string): string {
  const plain = text.replaceAll('’', "'");
  return BETWEEN_PERSONS.test(plain) ? plain.replaceAll(ADDRESSED, '').replaceAll(ADDRESSED_LAST, '') : plain;
}
