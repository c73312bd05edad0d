import { it } from '@jest/globals';
import { expectFair, fairnessOfAdjudication, fairnessOfExtraction } from './support/model-fairness.ts';

const MANY = { attacking: 200, samples: 20 };
const TIMEOUT_MS = 3_600_000;

it(
  'a provider that never answers in one project keeps no other project from being read, however often it is',
  async () => {
    expectFair('extraction', await fairnessOfExtraction(MANY));
  },
  TIMEOUT_MS,
);

it(
  'a provider that never answers in one project keeps no other project from being judged, however often it is',
  async () => {
    expectFair('adjudication', await fairnessOfAdjudication(MANY));
  },
  TIMEOUT_MS,
);
