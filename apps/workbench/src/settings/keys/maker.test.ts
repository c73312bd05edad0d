import { expect, it } from '@jest/globals';
import { makerText } from './maker.ts';

const KEYS = [{ id: 'key_1', name: 'till' }];

it('names who made a key: a person whoever they are, a key of the list, or the set-up; an id stands for what is gone', () => {
  const textOf = (createdBy: string, createdByName: string | null = null) =>
    makerText({ createdBy, createdByName }, KEYS);
  expect(textOf('usr_1', 'Ada')).toBe('Ada');
  expect(textOf('key_1')).toBe('key till');
  expect(textOf('bootstrap')).toBe('the set-up');
  expect([textOf('usr_2'), textOf('key_2')]).toEqual(['usr_2', 'key_2']);
});
