import { expect, it } from '@jest/globals';
import { DATABASE_MIGRATIONS } from '@clew/model-runtime';
import { migrations } from './migrations.ts';

it('the agent waits for the migrations of this version', () => {
  expect(migrations.map(({ id }) => ({ id }))).toEqual(DATABASE_MIGRATIONS);
});
