import { expect, it } from '@jest/globals';
import { deedsFor } from './deeds.ts';

const ids = (...given: Parameters<typeof deedsFor>) => deedsFor(...given).map(({ id }) => id);

it('offers what makes sense for the state of somebody', () => {
  expect(ids({ owner: false, state: 'active' }, false)).toEqual(['reset', 'make-owner', 'deactivate', 'delete']);
  expect(ids({ owner: true, state: 'active' }, false)).toContain('unmake-owner');
  expect(ids({ owner: false, state: 'deactivated' }, false)).toEqual(['reactivate', 'delete']);
});

it('lets nobody deactivate or delete themselves', () => {
  expect(ids({ owner: true, state: 'active' }, true)).toEqual(['reset', 'unmake-owner']);
});

it('asks before what takes rights away or gives all of them', () => {
  const asked = deedsFor({ owner: false, state: 'active' }, false).filter(({ question }) => question !== undefined);
  expect(asked.map(({ id }) => id)).toEqual(['make-owner', 'deactivate', 'delete']);
});
