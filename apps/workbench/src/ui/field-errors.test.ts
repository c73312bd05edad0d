import { expect, it } from '@jest/globals';
import { ApiError } from '@clew/sdk';
import { fieldErrors, unplacedMessages } from './field-errors.ts';

const refused = (details: { path: string; message: string }[]) =>
  new ApiError('The request is not valid', { status: 400, code: 'VALIDATION_ERROR', details });

it('finds the message of a field', () => {
  const error = refused([{ path: 'body.name', message: 'is too long' }]);
  expect(fieldErrors(error).get('name')).toBe('is too long');
  expect(fieldErrors(null).size).toBe(0);
});

it('leaves out what a field shows, and keeps the rest', () => {
  const error = refused([
    { path: 'body.name', message: 'is too long' },
    { path: 'body.scopes', message: 'is empty' },
  ]);
  expect(unplacedMessages(error, ['name'])).toEqual(['scopes: is empty']);
  expect(unplacedMessages(error, ['name', 'scopes'])).toEqual([]);
});

it('keeps the message of an error that is about no field', () => {
  expect(unplacedMessages(new Error('away'), ['name'])).toEqual(['away']);
});
