import { beforeAll, describe, it } from '@jest/globals';
import { Life, type Rollout } from './life.ts';

const TEST_TIMEOUT_MS = 400_000;

const STEPS: readonly (readonly [string, (life: Life) => Promise<void>])[] = [
  ['is there and ready after the first apply', (life) => life.firstInstall()],
  ['is as it was after the same is applied again', (life) => life.sameAgain()],
  ['runs the migrations of other images of the same version, and then their processes', (life) => life.otherImages()],
  ['replaces the pods that read a setting which has changed, and runs no migration', (life) => life.otherSettings()],
  ['leaves Secrets and volumes when it is taken away, and comes back', (life) => life.goneAndBack()],
];

/** Tests of the life of an installation; each continues from the state that the previous one left. */
export function describeRollout(title: string, rollout: Rollout): void {
  describe(title, () => {
    let life: Life;
    beforeAll(async () => {
      life = await Life.begin(rollout);
    }, TEST_TIMEOUT_MS);

    it.each(STEPS)('%s', (_guarantee, step) => step(life), TEST_TIMEOUT_MS);
  });
}
