import { afterAll, beforeAll, it } from '@jest/globals';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { createBodyActs, requireFair, type BodyActs } from './support/body-acts.ts';
import { createBodyAttacks, type BodyAttacks } from './support/body-attacks.ts';
import { measureFairness } from './support/fairness.ts';
import { createTestProject } from './support/test-project.ts';

const SAMPLES = 60;
const PAUSE_MS = 250;
const NOISE_MS = 250;
const TIMEOUT_MS = 300_000;
const ATTACKS: readonly (keyof BodyAttacks)[] = ['idleBodies', 'slowImports', 'flood', 'eventStreams', 'hugeLines'];
const ACTS: readonly (keyof BodyActs)[] = ['importFile', 'chat', 'transcribe', 'read'];
let provider: ScriptedProvider;
let acts: BodyActs;
let attacks: BodyAttacks;

beforeAll(async () => {
  provider = await startProvider();
  acts = await createBodyActs(await createTestProject('fairness: usual'), provider);
  attacks = await createBodyAttacks(await createTestProject('fairness: worst'), 4);
});

afterAll(() => provider.stop());

it.each(ATTACKS.flatMap((attack) => ACTS.map((act) => [attack, act] as const)))(
  "one project's %s do not keep another's %s waiting",
  async (attack, act) => {
    const measured = await measureFairness({
      ...{ act: acts[act], attack: attacks[attack], samples: SAMPLES, pauseMs: PAUSE_MS },
    });
    process.stdout.write(`${JSON.stringify({ attack, act, ...measured })}\n`);
    requireFair(measured, NOISE_MS);
  },
  TIMEOUT_MS,
);
