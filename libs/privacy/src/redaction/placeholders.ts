import { allMatches } from '@clew/kernel';
import { placeholderOf, type RedactedKind, type Span } from './span.ts';

/** Token that may be a secret which was found before, with the marks of a sentence around it. */
const TOKEN = /[^\s"'`*,;]{4,2000}/g;
/** Secrets shorter than this are not searched for where no label says what they are: 1234 may be anything. */
const MIN_KNOWN_SECRET = 6;

/** Placeholders of the values that were found, by kind and normal form. */
export interface Placeholders {
  of(span: Span): string;
  has(kind: RedactedKind, key: string): boolean;
  /** Keeps a placeholder that a text already has from being given to another value. */
  reserve(placeholder: string): void;
  /** Finds the secrets that are known from elsewhere, where no label says what they are. */
  findSecretsAgain(text: string): Generator<Span>;
  /** Number of all values so far. */
  size(): number;
  counts(): Partial<Record<RedactedKind, number>>;
}

/** Creates the placeholders of one redactor, numbered by first appearance. */
export function createPlaceholders(): Placeholders {
  const known = new Map<RedactedKind, Map<string, string>>();
  const used = new Set<string>();
  const ofKind = (kind: RedactedKind): Map<string, string> => {
    const values = known.get(kind) ?? new Map<string, string>();
    known.set(kind, values);
    return values;
  };
  const next = (kind: RedactedKind): string => {
    let number = ofKind(kind).size + 1;
    while (used.has(placeholderOf(kind, number))) number += 1;
    return placeholderOf(kind, number);
  };
  return {
    of: ({ kind, key }) => {
      const placeholder = ofKind(kind).get(key) ?? next(kind);
      ofKind(kind).set(key, placeholder);
      used.add(placeholder);
      return placeholder;
    },
    has: (kind, key) => known.get(kind)?.has(key) === true,
    reserve: (placeholder) => void used.add(placeholder),
    *findSecretsAgain(text) {
      const secrets = known.get('secret');
      if (secrets === undefined) return;
      for (const { 0: token, index } of allMatches(text, TOKEN)) {
        const opening = /^[([{<]{0,3}/.exec(token)?.[0].length ?? 0;
        const bare = token.slice(opening).replace(/[.!?)\]}>:]{1,3}$/, '');
        const key = [token, token.slice(opening), bare].find(
          (one) => one.length >= MIN_KNOWN_SECRET && secrets.has(one),
        );
        if (key === undefined) continue;
        const start = index + token.indexOf(key);
        yield { kind: 'secret', start, end: start + key.length, key };
      }
    },
    size: () => [...known.values()].reduce((sum, values) => sum + values.size, 0),
    counts: () => Object.fromEntries([...known].map(([kind, values]) => [kind, values.size])),
  };
}
