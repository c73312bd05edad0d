/** Environment of a command: the source of its settings and its output. */
export interface CommandContext {
  env: Readonly<Record<string, string | undefined>>;
  write(text: string): void;
}

export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** Resolves with the exit code. */
  run(args: readonly string[], context: CommandContext): Promise<number>;
}
