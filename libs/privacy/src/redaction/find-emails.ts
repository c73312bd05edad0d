import { allMatches } from '@clew/kernel';
import type { Span } from './span.ts';

const EMAIL = /(?<![\p{L}\p{N}._+'-])[\p{L}\p{N}._+'-]{1,64}(?:@|%40)(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu;
/** Addresses as they are dictated: `sara dot doe at mail dot com`. */
const SPOKEN =
  /(?<![\p{L}\p{N}._+-])(?:[\w+-]{1,30} (?:dot|underscore) ){0,3}[\w.+-]{1,40} ?(?:\[at\]|\(at\)| at ) ?(?:[\w-]{1,30} ?(?:\[dot\]|\(dot\)| dot ) ?){1,3}(?:com|org|net|edu|gov|io|de|fr|uk|eu)(?![\p{L}\p{N}])/giu;
/** Names of images and of repositories that are written like addresses. */
const NO_EMAIL = /\.(?:png|jpe?g|gif|svg|webp|avif|pdf|js|ts|css)$|^git@/i;

/** Finds the e-mail addresses in a text. */
export function* findEmails(text: string): Generator<Span> {
  if (text.includes('@') || text.includes('%40')) {
    for (const { 0: found, index } of allMatches(text, EMAIL)) {
      const start = index + (/^['.-]{1,64}/.exec(found)?.[0].length ?? 0);
      const email = text.slice(start, index + found.length);
      if (NO_EMAIL.test(email) || email.startsWith('@')) continue;
      yield { kind: 'email', start, end: index + found.length, key: email.toLowerCase().replace('%40', '@') };
    }
  }
  if (!/dot[ )\]]/i.test(text)) return;
  for (const { 0: found, index } of allMatches(text, SPOKEN)) {
    yield { kind: 'email', start: index, end: index + found.length, key: written(found) };
  }
}

function written(spoken: string): string {
  return spoken
    .toLowerCase()
    .replace(/ ?(?:\[at\]|\(at\)| at ) ?/, '@')
    .replaceAll(/ ?(?:\[dot\]|\(dot\)|\bdot\b) ?/g, '.')
    .replaceAll(/ ?underscore ?/g, '_')
    .replaceAll(' ', '');
}
