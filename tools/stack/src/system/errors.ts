/** Failure that the user can fix: what failed, and how to help. */
export class StackError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'StackError';
    this.hint = hint;
  }
}

/** Thrown by a source that does not work here, so that the next one is tried. The message is the displayed reason. */
export class Unavailable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Unavailable';
  }
}

/** First line of any thrown value, for one-line reports. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0] ?? message;
}
