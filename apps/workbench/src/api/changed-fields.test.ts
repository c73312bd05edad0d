import { expect, it } from '@jest/globals';
import { changedFields, fieldText } from './changed-fields.ts';

it('names the members that differ, also those that came or went, but no times', () => {
  const before = { name: 'a', list: [1, 2], gone: true, same: { x: 1 }, updatedAt: 1 };
  const after = { name: 'b', list: [1, 2, 3], same: { x: 1 }, came: null, updatedAt: 2 };
  expect(changedFields(before, after)).toEqual([
    { name: 'name', before: 'a', after: 'b' },
    { name: 'list', before: [1, 2], after: [1, 2, 3] },
    { name: 'gone', before: true, after: undefined },
    { name: 'came', before: undefined, after: null },
  ]);
});

it('says values in words', () => {
  expect([null, '', true, 7, ['a']].map(fieldText)).toEqual(['nothing', 'nothing', 'yes', '7', '["a"]']);
});
