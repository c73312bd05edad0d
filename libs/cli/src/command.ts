import type { Context } from './context.ts';

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
