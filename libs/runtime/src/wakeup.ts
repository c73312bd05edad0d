/** A wait that another part of the process can cut short. A wake-up that comes while nobody waits is not forgotten. */
export class Wakeup {
  #pending = false;
  #ended = false;
  #resume: (() => void) | undefined;

  wake(): void {
    this.#pending = true;
    this.#resume?.();
  }

  /** From now on nothing waits. */
  end(): void {
    this.#ended = true;
    this.#resume?.();
  }

  /** Waits until the time is over, or a wake-up comes. */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.#pending) await this.waitFully(timeoutMs, () => this.#pending);
    this.#pending = false;
  }

  /** Waits until the time is over, whatever wakes it, except the end. */
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
