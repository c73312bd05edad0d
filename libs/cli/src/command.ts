import type { Clew } from '@clew/sdk';
import type { Settings } from './config/settings.ts';
import type { Io } from './io.ts';
import type { Output } from './output/output.ts';

/** Option of a verb. */
export interface OptionSpec {
  /** Flags as commander has them, `--severity <list>`. */
  readonly flags: string;
  readonly description: string;
  /** Values that are offered; `isStrict` if there are no others. */
  readonly values?: readonly string[];
  readonly isStrict?: true;
  /** Reads the value; throws an error with an explanation. */
  readonly parse?: (text: string, nowMs: number) => unknown;
  readonly isRequired?: true;
  /** Whether it may be given more than once; its value is then a list. */
  readonly isRepeatable?: true;
  /** Name of the API's parameter that it sets; none for what this program itself obeys. */
  readonly sets?: string;
}

/** Verb of a noun, or a command without a noun. */
export interface Verb {
  readonly name: string;
  readonly summary: string;
  /** Arguments as commander has them, `<finding> [text]`; their names choose what completion offers. */
  readonly args?: string;
  readonly options?: readonly OptionSpec[];
  /** Command line without the program's name; a test runs it. */
  readonly example: string;
  /** Things that are lost: a person types the first argument before that, or says `--yes`. */
  readonly destroys?: string;
  /** Whether it can do without a project. */
  readonly isProjectless?: true;
  /** Whether it asks nothing of the API. */
  readonly isLocal?: true;
  /** Resolves with the exit code if that is not 0. */
  run(context: Context): Promise<number | void>;
}

/** Values of a verb's options, those for every command among them. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** Parameters of a call, with the signal of Ctrl-C: the API checks their values. */
export type Query = Readonly<Record<string, never>>;

/** World of one run of a verb. */
export interface Context {
  readonly io: Io;
  readonly verb: Verb;
  readonly args: readonly string[];
  readonly options: OptionValues;
  readonly output: Output;
  readonly signal: AbortSignal;
  /** Returns an argument that must be there. */
  arg(at: number): string;
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  flag(name: string): boolean;
  list(name: string): readonly string[];
  /** Returns the options that set parameters of the API, under their names. */
  query(): Query;
  settings(): Settings;
  /** Returns the client, with the project that the command is about. */
  client(): Promise<Clew>;
  /** Returns the absolute path of a file that the user names. */
  path(name: string): string;
  /** Reads a file, or with `-` what is piped in. */
  read(name: string): Promise<string>;
  /** Asks for the name of what is to be lost, unless `--yes` is given. */
  confirm(what: string, name?: string): Promise<void>;
}

/** Noun with its verbs, loaded when it is used; a command without verbs has one of its own name. */
export interface Noun {
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  load(): Promise<readonly Verb[]>;
}

/** Returns the name under which the value of an option is kept, as commander makes it. */
export function attributeOf(flags: string): string {
  const [, name = ''] = /--(?:no-)?([a-z-]+)/.exec(flags) ?? [];
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
