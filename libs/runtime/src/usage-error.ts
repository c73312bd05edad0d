/** A command was called wrongly; the message says how, in one line. */
export class UsageError extends Error {}

/** Whether a command was called wrongly: by its own judgement, or by that of Node's `parseArgs`. */
export function isUsageError(error: unknown): error is Error {
  return error instanceof UsageError || isParseError(error);
}

/** What is wrong with the call, and how to call it. */
export function describeUsage({ message }: Error, usage: string): string {
  // Node adds a second sentence, about positional arguments.
  const [complaint] = message.split(". To specify a positional argument starting with a '-'", 1);
  return `${complaint}\nUsage: ${usage}\n`;
}

function isParseError(error: unknown): error is Error {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS');
}
