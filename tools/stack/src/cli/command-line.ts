/** A command was called wrongly; the message says how, in one line. */
export class UsageError extends Error {}

/**
 * Runs a command and resolves with its exit code. Called wrongly, it is 2, after one line that says what is wrong and
 * the usage, both on standard error; whatever else goes wrong is the caller's. This package runs before any library is
 * built, so what the services' own commands share (`@clew/runtime`) is out of its reach.
 */
export async function runCommandLine(usage: string, command: () => Promise<number>): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (!isUsageError(error)) throw error;
    process.stderr.write(`${complaintOf(error)}\n${usage}\n`);
    return 2;
  }
}

function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  // Thrown by Node's parseArgs.
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** Node adds a second sentence, about positional arguments. */
function complaintOf({ message }: Error): string {
  return message.split(". To specify a positional argument starting with a '-'", 1)[0] ?? message;
}
