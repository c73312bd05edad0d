import { it } from '@jest/globals';
import { expectFair, fairnessOfAdjudication, fairnessOfExtraction } from './support/model-fairness.ts';

const FEW = { attacking: 60, samples: 2 };
const TIMEOUT_MS = 600_000;

it(
  'a provider that never answers in one project keeps no other project from being read',
  async () => {
    expectFair('extraction', await fairnessOfExtraction(FEW));
  },
  TIMEOUT_MS,
);

it(
  'a provider that never answers in one project keeps no other project from being judged',
  async () => {
    expectFair('adjudication', await fairnessOfAdjudication(FEW));
  },
  TIMEOUT_MS,
);
