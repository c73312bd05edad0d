import { expect, it } from '@jest/globals';
import { PART_IDS, partNamed, shownParts } from './parts.ts';

it('shows an owner all parts', () => {
  expect(shownParts(() => true).flatMap(({ parts }) => parts)).toEqual(PART_IDS);
});

it('leaves out what somebody may not see, and groups of which nothing is left', () => {
  const viewer = shownParts((permission) => permission === 'project:read');
  expect(viewer.find(({ group }) => group === 'Project')?.parts).toEqual(['general', 'privacy', 'usage']);
  expect(viewer.find(({ group }) => group === 'Workspace')?.parts).toEqual(['health']);
});

it('knows its parts by name only', () => {
  expect(partNamed('sign-in')).toBe('sign-in');
  expect(partNamed('toString')).toBeUndefined();
});
