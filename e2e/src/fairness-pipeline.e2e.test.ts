import { it } from '@jest/globals';
import { requireFair } from './support/body-acts.ts';
import { fairnessOfIngest, fairnessOfRuleBackfills } from './support/pipeline-fairness.ts';

const FEW = { flooding: 600, samples: 2 };
/**
 * Tolerance for a busy machine: with so few samples, the 95th percentile is the slowest one. Without fair turns it
 * would be one to two minutes.
 */
const NOISE_MS = 30_000;
const TIMEOUT_MS = 600_000;

it.each([
  ['conversations', fairnessOfIngest],
  ['backfills of Rules', fairnessOfRuleBackfills],
] as const)(
  "one project's %s do not keep another's Findings waiting",
  async (name, fairnessOf) => {
    const measured = await fairnessOf(FEW);
    process.stdout.write(`${JSON.stringify({ name, ...measured })}\n`);
    requireFair(measured, NOISE_MS);
  },
  TIMEOUT_MS,
);
