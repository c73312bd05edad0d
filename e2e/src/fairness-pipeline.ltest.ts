import { it } from '@jest/globals';
import { requireFair } from './support/body-acts.ts';
import { fairnessOfIngest, fairnessOfRuleBackfills } from './support/pipeline-fairness.ts';

const MANY = { flooding: 10_000, samples: 10 };
const NOISE_MS = 2_000;
const TIMEOUT_MS = 3_600_000;

it.each([
  ['conversations', fairnessOfIngest],
  ['backfills of Rules', fairnessOfRuleBackfills],
] as const)(
  "one project's many %s do not keep another's Findings waiting",
  async (name, fairnessOf) => {
    const measured = await fairnessOf(MANY);
    process.stdout.write(`${JSON.stringify({ name, ...measured })}\n`);
    requireFair(measured, NOISE_MS);
  },
  TIMEOUT_MS,
);
