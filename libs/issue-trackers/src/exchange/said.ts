import { cleanedLine } from '../text/clean.ts';

const MAX_SAID = 200;

/** Quotes the provider's own words for people: one short line, without the credentials and other secrets. */
export function said(words: readonly unknown[], credentials: readonly string[]): string {
  const texts = words.filter((word) => typeof word === 'string' && word !== '');
  const line = credentials.reduce((text, secret) => text.replaceAll(secret, '[removed]'), texts.join('; '));
  return cleanedLine(line, MAX_SAID);
}

/** Adds the provider's own words to a message, where it said any. */
export function withWords(message: string, words: string): string {
  return words === '' ? message : `${message}. It says: ${words}`;
}
