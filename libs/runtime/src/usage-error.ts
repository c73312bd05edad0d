/** Signals that a command was called wrongly; the message explains it in one line. */
export class UsageError extends Error {}

/** Tells whether a command was called wrongly, according to the command or to Node's `parseArgs`. */
export function isUsageError(error: unknown): error is Error {
  return error instanceof UsageError || isParseError(error);
}

/** Describes the error, and how to call the command. */
export function describeUsage({ message }: Error, usage: string): string {
  // Node adds a second sentence, about positional arguments.
  const [complaint] = message.split(". To specify a positional argument starting with a '-'", 1);
  return `${complaint}\nUsage: ${usage}\n`;
}

function isParseError(error: unknown): error is Error {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS');
}
