import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { Faults } from './support/chaos-faults.ts';
import { prepareBackfills, runBackfills } from './support/chaos-backfills.ts';
import { waveOf } from './support/chaos-inputs.ts';
import { sendWave, type ChaosTargets, type Sent } from './support/chaos-load.ts';
import { expectAllOnce } from './support/chaos-oracle.ts';
import { expectAnalysedOnce, expectStoredOnce } from './support/crash-checks.ts';
import { partition } from './support/crash-load.ts';
import { createTestDataset } from './support/datasets.ts';
import { newGoal, extractionModel } from './support/knowledge-model.ts';
import { seededRandom } from './support/seeded-random.ts';
import { createTestProject } from './support/test-project.ts';

const FAULTS = Number(process.env['CLEW_CHAOS_FAULTS'] ?? 200);
/** Seed of the load and of the faults. It does not decide how the machine copes with them. */
const SEED = Number(process.env['CLEW_CHAOS_SEED'] ?? randomInt(1, 2 ** 31));
/** Faults at a time: now and then both replicas of one service are down, or a service and its database. */
const LANES = 2;
const BACKFILLED = 120;
const TIMEOUT_MS = 4 * 3_600_000;

let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startProvider({ models: ['wise'], reply: extractionModel() });
});
afterAll(() => provider.stop());

async function prepare(): Promise<ChaosTargets> {
  const project = await createTestProject('chaos');
  const made = await project.call('/models/providers', { body: { name: 'loop', baseUrl: provider.url } });
  expect(made.status).toBe(201);
  await project.call('/knowledge/settings', { method: 'PATCH', body: { extractionEnabled: true } });
  const { path: datasetPath } = await createTestDataset(project);
  return { project, datasetPath, goalId: await newGoal(project) };
}

describe(`${FAULTS} faults of any process, broker and database, under mixed load`, () => {
  it(
    'lose nothing that was acknowledged, double nothing, and leave nothing wrong',
    async () => {
      process.stdout.write(`CLEW_CHAOS_SEED=${SEED} CLEW_CHAOS_FAULTS=${FAULTS}\n`);
      const targets = await prepare();
      const backfills = await prepareBackfills(provider.url, BACKFILLED);
      const waves = Array.from({ length: FAULTS }, (_, number) => waveOf(SEED, number));
      const sent: Sent = { acknowledged: new Set(), acknowledgedStrays: new Set() };
      const faults = new Faults(seededRandom(SEED));
      const backfilled = runBackfills(backfills);
      backfilled.catch(() => undefined);
      await Promise.all(
        partition([...waves.entries()], LANES).map(async (lane) => {
          for (const [number, wave] of lane) {
            await Promise.all([sendWave(targets, wave, number, sent), faults.next()]);
          }
        }),
      );
      await backfilled;
      await expectAllOnce(targets, waves, sent);
      const spans = waves.flatMap(({ traced }) => traced).flatMap((conversation) => conversation.spans);
      await expectStoredOnce(targets.project, spans, sent.acknowledged);
      await expectAnalysedOnce(targets.project);
      const figures = { seed: SEED, faults: FAULTS, spans: spans.length, strays: sent.acknowledgedStrays.size };
      process.stdout.write(`${JSON.stringify({ ...figures, ...faults.counts })}\n`);
    },
    TIMEOUT_MS,
  );
});
