import type { Verb } from '../command.ts';
import { NOUNS } from '../nouns.ts';

/** Verb with the words that name it. */
export interface NamedVerb {
  path: string;
  verb: Verb;
  /** Words of its example. */
  words: string[];
}

/** Loads every verb of every noun. */
export async function allVerbs(): Promise<NamedVerb[]> {
  const nouns = await Promise.all(NOUNS.map(async (noun) => ({ noun, verbs: await noun.load() })));
  return nouns.flatMap(({ noun, verbs }) =>
    verbs.map((verb) => {
      const isOwn = verbs.length === 1 && verb.name === noun.name;
      return { verb, path: isOwn ? noun.name : `${noun.name} ${verb.name}`, words: wordsOf(verb.example) };
    }),
  );
}

/** Takes a command line apart as a shell does: by spaces, but not within quotes. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
