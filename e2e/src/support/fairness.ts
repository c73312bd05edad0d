import { setTimeout as sleep } from 'node:timers/promises';

export interface FairnessOptions {
  /** One act of the measured project; it throws if it is refused or fails. */
  act(): Promise<void>;
  /** Begins the worst load of the other project; the returned function ends it. */
  attack(): Promise<() => Promise<void>>;
  /** Number of acts, measured once without and once with the attack. */
  samples: number;
  /** Pause between two acts, in milliseconds. */
  pauseMs?: number;
}

/** 95th percentile of one project's response times, in milliseconds, without and with the attack of another project. */
export interface Fairness {
  usualP95Ms: number;
  attackedP95Ms: number;
  ratio: number;
}

/** Measures how much the attack of one project slows another one down. The first act warms up and does not count. */
export async function measureFairness({ act, attack, samples, pauseMs = 0 }: FairnessOptions): Promise<Fairness> {
  await act();
  const usualP95Ms = await p95Of(act, samples, pauseMs);
  const end = await attack();
  try {
    const attackedP95Ms = await p95Of(act, samples, pauseMs);
    return { usualP95Ms, attackedP95Ms, ratio: attackedP95Ms / usualP95Ms };
  } finally {
    await end();
  }
}

async function p95Of(act: () => Promise<void>, samples: number, pauseMs: number): Promise<number> {
  const tookMs: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const startedAtMs = performance.now();
    await act();
    tookMs.push(performance.now() - startedAtMs);
    await sleep(pauseMs);
  }
  const sorted = tookMs.sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.95) - 1)] ?? 0;
}
