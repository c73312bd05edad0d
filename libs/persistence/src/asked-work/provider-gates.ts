import type { Passage } from '../circuit.ts';
import type { Circuits } from '../circuits.ts';
import type { Transaction } from '../database.ts';

/** Providers that may be called in one transaction, by the keys of their circuits. */
export interface ProviderGates {
  /** Time until which a provider is not called; undefined if it may be called now. */
  closedUntil(key: string): number | undefined;
  /** Lets one call pass: a provider on trial is closed to all others. */
  pass(key: string): void;
  /** Records in the transaction that a call that was let through is made. */
  ask(key: string): Promise<void>;
}

/** Reads the circuits of providers; a caller that finds one on trial checks again after `lookAgainMs`. */
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
