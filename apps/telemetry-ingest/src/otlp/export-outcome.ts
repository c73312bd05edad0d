const MAX_REASONS = 5;

/** How much of an export was not taken, and why. */
export class ExportOutcome {
  #rejectedCount = 0;
  readonly #reasons = new Set<string>();

  get rejectedCount(): number {
    return this.#rejectedCount;
  }

  /** A few different reasons; empty where there is nothing to say. */
  get message(): string {
    return [...this.#reasons].join('; ');
  }

  /** One record is not taken. */
  reject(reason: string): void {
    this.#rejectedCount += 1;
    this.warn(reason);
  }

  /** Something was left out, and no record for it. */
  warn(reason: string): void {
    if (this.#reasons.size < MAX_REASONS) this.#reasons.add(reason);
  }
}
