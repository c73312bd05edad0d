import { SUBJECT_KINDS, type KnowledgeSubject } from '@clew/contracts';
import { foldedText } from './folded-text.ts';
import { areGivenWords } from './follows.ts';
import type { QuotedWords } from './quoted-words.ts';
import { wordsOf } from './words.ts';

/** Subject of what is about nobody and nothing in particular. */
export const THE_PROJECT: KnowledgeSubject = { kind: 'project', name: 'project' };

const MAX_NAME_LENGTH = 200;
/** Words of somebody who speaks of himself, on folded text. */
const OF_ONESELF = /\b(?:i|i'[a-z]{1,3}|my|me|mine|myself|ich|mein(?:e[mnrs]?)?|mir|mich)\b/;

/**
 * Subject of an item: the one that a model names, if its name is told by the quotes or is that of their speaker;
 * otherwise the speaker who tells about himself; otherwise the project.
 */
export function subjectOf(
  claimed: { kind: string; name: string } | null | undefined,
  quotes: readonly QuotedWords[],
): KnowledgeSubject {
  const kind = SUBJECT_KINDS.find((known) => known === claimed?.kind);
  const name = claimed?.name.toWellFormed().replaceAll(/\s+/g, ' ').trim().slice(0, MAX_NAME_LENGTH) ?? '';
  if (kind !== undefined && kind !== 'project' && name !== '' && areGivenWords(name, quotes)) return { kind, name };
  return kind === 'project' ? THE_PROJECT : (speakerOf(quotes) ?? THE_PROJECT);
}

/** The only speaker of the quotes, if one of them is about himself. */
function speakerOf(quotes: readonly QuotedWords[]): KnowledgeSubject | undefined {
  const speakers = new Set(quotes.map(({ speaker }) => speaker));
  const [speaker] = speakers;
  if (speakers.size !== 1 || speaker === undefined || speaker.trim() === '') return undefined;
  return quotes.some(({ text }) => isOfOneself(text))
    ? { kind: 'person', name: speaker.trim().slice(0, MAX_NAME_LENGTH) }
    : undefined;
}

/** Tells whether somebody speaks of himself in a text. */
export function isOfOneself(text: string): boolean {
  return OF_ONESELF.test(foldedText(text).replaceAll('’', "'"));
}

/** Form of a name by which subjects are compared: its folded words. */
export function subjectKeyOf(name: string): string {
  const words = wordsOf(foldedText(name)).join(' ');
  return words === '' ? name.trim().toLowerCase() : words;
}
