/** Wrong use of a command; the message explains it in one line. */
export class UsageError extends Error {}

/**
 * Runs a command and resolves with its exit code. After wrong use the code is 2, and standard error gets one line about
 * the mistake and the usage. Other errors are thrown to the caller. This package runs before any library is built, so
 * it cannot use the code that the services' own commands share (`@clew/runtime`).
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

/** Error message without Node's second sentence, which is about positional arguments. */
function complaintOf({ message }: Error): string {
  return message.split(". To specify a positional argument starting with a '-'", 1)[0] ?? message;
}
