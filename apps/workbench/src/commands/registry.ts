import type { CommandId } from './table.ts';

export type CommandHandler = () => void;

/**
 * Handlers of the commands that can be given now. Of several handlers for one command the latest counts: that of a
 * dialog over that of its page.
 */
export class CommandRegistry {
  readonly #handlers = new Map<CommandId, CommandHandler[]>();
  readonly #listeners = new Set<() => void>();
  #active: readonly CommandId[] = [];

  /** Adds a handler; the function that is returned removes it. */
  register(id: CommandId, handler: CommandHandler): () => void {
    this.#handlers.set(id, [...(this.#handlers.get(id) ?? []), handler]);
    this.#changed();
    return () => {
      const left = (this.#handlers.get(id) ?? []).filter((each) => each !== handler);
      if (left.length === 0) this.#handlers.delete(id);
      else this.#handlers.set(id, left);
      this.#changed();
    };
  }

  /** Gives a command; false if nobody takes it now. */
  run(id: CommandId): boolean {
    const handler = this.#handlers.get(id)?.at(-1);
    handler?.();
    return handler !== undefined;
  }

  /** Commands that somebody takes now; the same list until it changes. */
  readonly active = (): readonly CommandId[] => this.#active;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #changed(): void {
    this.#active = [...this.#handlers.keys()];
    for (const listener of this.#listeners) listener();
  }
}

/** The registry of the page. */
export const commands = new CommandRegistry();
