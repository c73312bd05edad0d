import type { Passage } from '../circuit.ts';
import type { Circuits } from '../circuits.ts';
import type { Transaction } from '../database.ts';

/** Providers as they may be asked in one transaction, by the keys of their circuits. */
export interface ProviderGates {
  /** Until when a provider is left alone; undefined where it may be asked now. */
  closedUntil(key: string): number | undefined;
  /** Lets one through: a provider on trial is closed to all others. */
  pass(key: string): void;
  /** Notes in the transaction that a provider is asked by one that was let through. */
  ask(key: string): Promise<void>;
}

/** Reads the circuits of providers; whoever finds one on trial looks again after `lookAgainMs`. */
export async function readProviderGates(
  tx: Transaction,
  circuits: Circuits,
  { keys, nowMs, lookAgainMs }: { keys: readonly string[]; nowMs: number; lookAgainMs: number },
): Promise<ProviderGates> {
  const passages = new Map<string, Passage>(await circuits.passages(tx, [...new Set(keys)], nowMs));
  const onTrial = new Set<string>();
  return {
    closedUntil(key) {
      const passage = passages.get(key);
      return passage?.kind === 'none' ? passage.untilMs : undefined;
    },
    pass(key) {
      if (passages.get(key)?.kind !== 'one') return;
      onTrial.add(key);
      passages.set(key, { kind: 'none', untilMs: nowMs + lookAgainMs });
    },
    async ask(key) {
      if (onTrial.delete(key)) await circuits.tried(tx, key, nowMs);
    },
  };
}
