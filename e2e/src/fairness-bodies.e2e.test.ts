import { afterAll, beforeAll, it } from '@jest/globals';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { createBodyActs, requireFair, type BodyActs } from './support/body-acts.ts';
import { createBodyAttacks, type BodyAttacks } from './support/body-attacks.ts';
import { measureFairness } from './support/fairness.ts';
import { createTestProject } from './support/test-project.ts';

const SAMPLES = 8;
/** Tolerance for a busy machine: with so few samples, the 95th percentile is the slowest one. */
const NOISE_MS = 3_000;
const TIMEOUT_MS = 180_000;
let provider: ScriptedProvider;
let acts: BodyActs;
let attacks: BodyAttacks;

beforeAll(async () => {
  provider = await startProvider();
  acts = await createBodyActs(await createTestProject('fairness: usual'), provider);
  attacks = await createBodyAttacks(await createTestProject('fairness: worst'), 1);
});

afterAll(() => provider.stop());

it.each<[keyof BodyAttacks, keyof BodyActs]>([
  ['idleBodies', 'importFile'],
  ['idleBodies', 'chat'],
  ['idleBodies', 'transcribe'],
  ['slowImports', 'importFile'],
  ['eventStreams', 'read'],
  ['hugeLines', 'importFile'],
])(
  "one project's %s do not keep another's %s waiting",
  async (attack, act) => {
    requireFair(await measureFairness({ act: acts[act], attack: attacks[attack], samples: SAMPLES }), NOISE_MS);
  },
  TIMEOUT_MS,
);
