import { STOP_ORDER } from './unit.ts';
import type { Unit } from './unit.ts';

/** Stops units tier by tier: users of other units before the units they use. */
export async function stopUnits(units: readonly Unit[], options: { immediately?: boolean } = {}): Promise<void> {
  for (const tier of STOP_ORDER) {
    const ofTier = units.filter((unit) => unit.tier === tier);
    await Promise.all(ofTier.map((unit) => (options.immediately === true ? unit.kill() : unit.stop())));
  }
}
