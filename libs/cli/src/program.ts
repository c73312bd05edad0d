import { Command, InvalidArgumentError, Option } from 'commander';
import type { Noun, OptionSpec, OptionValues, Verb } from './command.ts';
import { own, YES } from './options.ts';
import type { Io } from './io.ts';
import { NOUNS } from './nouns.ts';
import { VERSION } from './version.ts';

/** Options of every command. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  own('--json', 'print the body of the API, and nothing else'),
  own('--ndjson', 'print each thing as a line of JSON; with --all those of all pages'),
  own('--ids', 'print ids alone'),
  own('--url <address>', 'address of the deployment (CLEW_URL)'),
  own('--project <project>', 'project (CLEW_PROJECT)'),
  own('--profile <profile>', 'profile (CLEW_PROFILE)'),
  own('--no-input', 'never ask anything'),
  own('-q, --quiet', 'tell nothing on the side'),
  own('--verbose', 'tell of each request: its time and its id'),
];

/** Runs a verb with what the command line says. */
export type RunVerb = (verb: Verb, args: readonly string[], options: OptionValues) => Promise<void>;

/** Builds the tree of commands, with the verbs of the noun that a command line names. */
export async function buildProgram(argv: readonly string[], io: Io, runVerb: RunVerb): Promise<Command> {
  const program = new Command('clew')
    .description('Conversations of AI products, turned into Findings, Knowledge and Datasets')
    .usage('<noun> <verb> [options]')
    .version(VERSION, '-V, --version', 'print the version')
    .helpCommand('help [command]', 'show the help of a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      // Errors are told by the caller, in the form that was asked for.
      outputError: () => undefined,
      getOutHelpWidth: () => io.stdout.columns() || 80,
      getErrHelpWidth: () => io.stderr.columns() || 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText('after', '\nDocumentation of a command: clew <noun> <verb> --help');
  for (const option of COMMON_OPTIONS) program.addOption(optionOf(option, io));
  const named = nounIn(argv);
  for (const noun of NOUNS) {
    program.commandsGroup(noun.group);
    await addNoun(program, noun, noun === named, { io, runVerb });
  }
  return program;
}

/** Returns the noun that a command line names: its first word that is neither an option nor the value of one. */
export function nounIn(argv: readonly string[]): Noun | undefined {
  const valued = COMMON_OPTIONS.filter(({ flags }) => flags.includes('<')).map(({ flags }) => flags.split(' ')[0]);
  const words = argv.filter((word, at) => !word.startsWith('-') && !valued.includes(argv[at - 1]));
  const name = words[0] === 'help' ? words[1] : words[0];
  return NOUNS.find((noun) => noun.name === name);
}

async function addNoun(
  program: Command,
  noun: Noun,
  isNamed: boolean,
  parts: { io: Io; runVerb: RunVerb },
): Promise<void> {
  const { name, summary } = noun;
  if (!isNamed) {
    program.command(name).summary(summary).description(summary);
    return;
  }
  const verbs = await noun.load();
  const [only] = verbs;
  if (verbs.length === 1 && only?.name === name) return addVerb(program, only, parts);
  const command = program.command(name).summary(summary).description(sentence(summary));
  for (const verb of verbs) addVerb(command, verb, parts);
}

function addVerb(parent: Command, verb: Verb, { io, runVerb }: { io: Io; runVerb: RunVerb }): void {
  const command = parent
    .command(verb.args === undefined ? verb.name : `${verb.name} ${verb.args}`)
    .summary(verb.summary)
    .description(sentence(verb.summary))
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', `\nExample:\n  clew ${verb.example}`);
  for (const option of optionsOf(verb)) command.addOption(optionOf(option, io));
  command.action(async () => {
    // Options of a verb count before those of every command: `--input <file>` of one is no `--no-input`.
    await runVerb(verb, command.args, { ...command.optsWithGlobals(), ...command.opts() });
  });
}

/** Returns the options of a verb, with that of verbs that destroy something. */
export function optionsOf({ options = [], destroys }: Verb): readonly OptionSpec[] {
  return destroys === undefined ? options : [...options, YES];
}

function optionOf(
  { flags, description, values, isStrict, parse, isRequired, isRepeatable }: OptionSpec,
  io: Io,
): Option {
  const option = new Option(flags, description);
  if (isRequired === true) option.makeOptionMandatory();
  if (values !== undefined && isStrict === true) return option.choices(values);
  if (parse === undefined && isRepeatable !== true) return option;
  return option.argParser((value: string, before: unknown) => {
    const read = parse === undefined ? value : parsed(value, parse, io.now());
    return isRepeatable === true ? [...((before as unknown[] | undefined) ?? []), read] : read;
  });
}

function parsed(value: string, parse: NonNullable<OptionSpec['parse']>, nowMs: number): unknown {
  try {
    return parse(value, nowMs);
  } catch (error) {
    throw new InvalidArgumentError(`It ${(error as Error).message}.`);
  }
}

const sentence = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}`;
