/** Webhooks whose process waits a moment for further deliveries. */
export interface Lingering {
  /** Waits until deliveries of the webhook were added in this process, or the time is over. */
  wait(webhookId: string, forMs: number): Promise<void>;
  /** Ends the waits of these webhooks. */
  wake(webhookIds: readonly string[]): void;
}

export function createLingering(): Lingering {
  const waiting = new Map<string, () => void>();
  return {
    async wait(webhookId, forMs) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, forMs);
      waiting.set(webhookId, resolve);
      await promise;
      clearTimeout(timer);
      waiting.delete(webhookId);
    },
    wake(webhookIds) {
      for (const id of webhookIds) waiting.get(id)?.();
    },
  };
}
