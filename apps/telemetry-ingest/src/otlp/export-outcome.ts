const MAX_REASONS = 5;

/** Number of records of an export that were rejected, and the reasons. */
export class ExportOutcome {
  #rejectedCount = 0;
  readonly #reasons = new Set<string>();

  get rejectedCount(): number {
    return this.#rejectedCount;
  }

  /** A few different reasons; empty if everything was taken. */
  get message(): string {
    return [...this.#reasons].join('; ');
  }

  /** Counts one rejected record. */
  reject(reason: string): void {
    this.#rejectedCount += 1;
    this.warn(reason);
  }

  /** Notes that something was left out without rejecting a record for it. */
  warn(reason: string): void {
    if (this.#reasons.size < MAX_REASONS) this.#reasons.add(reason);
  }
}
