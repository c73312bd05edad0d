/** What a command works with: where it reads its settings and writes its output. */
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
