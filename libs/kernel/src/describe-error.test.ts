import { describe, expect, it } from '@jest/globals';
import { AppError } from './app-error.ts';
import { describeError } from './describe-error.ts';

describe('describeError', () => {
  it('tells the message of an AppError, which is written for others, and of nothing else', () => {
    expect(describeError(new AppError('NOT_FOUND', 'Not found'))).toBe('NOT_FOUND: Not found');
    expect(describeError(Object.assign(new Error('secret'), { code: 'ECONNRESET' }))).toBe('Error ECONNRESET');
    expect(describeError(new TypeError('secret'))).toBe('TypeError');
    expect(describeError('secret')).toBe('Unknown error');
  });

  it('is bounded', () => {
    expect(describeError(new AppError('NOT_FOUND', 'x'.repeat(5_000)))).toHaveLength(300);
  });
});
