import { attributeOf, type OptionSpec, type Verb } from '../command.ts';
import type { Chosen } from '../config/settings.ts';
import { EXIT } from '../exit.ts';
import type { Io } from '../io.ts';
import { NOUNS } from '../nouns.ts';
import { COMMON_OPTIONS, optionsOf } from '../program.ts';
import type { Candidate } from './candidate.ts';
import { valuesOf } from './values.ts';

/** Words of a command line before the one that is being typed, taken apart. */
interface Typed {
  /** Words that are neither options nor their values. */
  positional: string[];
  /** Option whose value is being typed. */
  open: string | undefined;
  chosen: Chosen;
}

/** Prints the values that may stand in place of the last word: one a line, with its meaning after a tab. */
export async function complete(words: readonly string[], io: Io): Promise<number> {
  const current = words.at(-1) ?? '';
  const candidates = await candidatesFor(words.slice(0, -1), current, io).catch(() => []);
  const fitting = candidates.filter(({ value }) => value.startsWith(current));
  const lines = fitting.map(({ value, meaning }) => `${value}\t${meaning.replaceAll(/[\t\n\r]/g, ' ')}\n`);
  await io.stdout.write(lines.join(''));
  return EXIT.done;
}

async function candidatesFor(before: readonly string[], current: string, io: Io): Promise<Candidate[]> {
  const nounName = takenApart(before, COMMON_OPTIONS).positional[0];
  const noun = NOUNS.find(({ name }) => name === nounName);
  const verbs = (await noun?.load()) ?? [];
  const [only] = verbs;
  const isVerbless = verbs.length === 1 && only?.name === noun?.name;
  const verbName = takenApart(before, COMMON_OPTIONS).positional[1];
  const verb = isVerbless ? only : verbs.find(({ name }) => name === verbName);
  const options = [...(verb === undefined ? [] : optionsOf(verb)), ...COMMON_OPTIONS];
  const { positional, open, chosen } = takenApart(before, options);
  if (open !== undefined) return await valuesOfOption(open, options, { io, chosen });
  if (current.startsWith('-')) return flagsOf(options);
  if (noun === undefined) return positional.length === 0 ? named(NOUNS) : [];
  if (verb === undefined) return positional.length === 1 ? named(verbs) : [];
  const kind = argumentAt(verb, positional.length - (isVerbless ? 1 : 2));
  return kind === undefined ? [] : await valuesOf(kind, { io, chosen });
}

function takenApart(words: readonly string[], options: readonly OptionSpec[]): Typed {
  const positional: string[] = [];
  const chosen: Record<string, string> = {};
  let open: string | undefined;
  for (const word of words) {
    if (open !== undefined) {
      chosen[attributeOf(open)] = word;
      open = undefined;
    } else if (word.startsWith('-')) {
      open = options.find((option) => isNamed(option, word) && option.flags.includes('<')) && word;
    } else positional.push(word);
  }
  return { positional, open, chosen };
}

const isNamed = ({ flags }: OptionSpec, word: string): boolean => flags.split(/[ ,]+/).includes(word);

async function valuesOfOption(
  word: string,
  options: readonly OptionSpec[],
  place: { io: Io; chosen: Chosen },
): Promise<Candidate[]> {
  const option = options.find((each) => isNamed(each, word));
  if (option?.values !== undefined) return option.values.map((value) => ({ value, meaning: '' }));
  const [, kind = ''] = /<([a-z-]+)>/.exec(option?.flags ?? '') ?? [];
  return await valuesOf(kind, place);
}

function flagsOf(options: readonly OptionSpec[]): Candidate[] {
  return options.map(({ flags, description }) => ({
    value: flags.split(/[ ,]+/).find((word) => word.startsWith('--')) ?? flags,
    meaning: description,
  }));
}

const named = (things: readonly { name: string; summary: string }[]): Candidate[] =>
  things.map(({ name, summary }) => ({ value: name, meaning: summary }));

/** Returns the name of the argument at a place; the last one may take all further ones. */
function argumentAt({ args = '' }: Verb, at: number): string | undefined {
  const names = [...args.matchAll(/[<[]([a-z-]+)(\.\.\.)?[>\]]/g)].map(([, name, more]) => ({ name, more }));
  return names[at]?.name ?? (names.at(-1)?.more === undefined ? undefined : names.at(-1)?.name);
}
