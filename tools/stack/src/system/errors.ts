/** A failure that a person can do something about: what could not be done, and how to help. */
export class StackError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'StackError';
    this.hint = hint;
  }
}

/** Thrown by a source that cannot serve here; the next one is tried. The message is the reason shown. */
export class Unavailable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Unavailable';
  }
}

/** The first line of whatever was thrown, for one-line reports. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0] ?? message;
}
