/**
 * Wait that another component of the process can cut short. A wake-up while nobody waits takes effect at the next wait.
 */
export class Wakeup {
  #pending = false;
  #ended = false;
  #resume: (() => void) | undefined;

  wake(): void {
    this.#pending = true;
    this.#resume?.();
  }

  /** Ends the current wait, and all later ones at once. */
  end(): void {
    this.#ended = true;
    this.#resume?.();
  }

  /** Waits until the time is over, or a wake-up comes. */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.#pending) await this.waitFully(timeoutMs, () => this.#pending);
    this.#pending = false;
  }

  /** Waits until the time is over, regardless of wake-ups; only `end` cuts it short. */
  async waitFully(timeoutMs: number, cutShort: () => boolean = () => false): Promise<void> {
    if (this.#ended) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    this.#resume = () => {
      if (this.#ended || cutShort()) resolve();
    };
    await promise;
    clearTimeout(timer);
    this.#resume = undefined;
  }
}
