import { STATUS_CODES } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { AppError, notFound } from './app-error.ts';
import { errorBody, toAppError } from './error-body.ts';
import { ERROR_STATUS, type ErrorCode } from './error-codes.ts';

describe('errorBody', () => {
  it.each(Object.keys(ERROR_STATUS) as ErrorCode[])('tells the reason phrase of %s', (code) => {
    const body = errorBody(new AppError(code, 'message'), 'req_1');
    expect(body).toEqual({ error: STATUS_CODES[ERROR_STATUS[code]], message: 'message', code, requestId: 'req_1' });
  });

  it('has details only where there are some', () => {
    const details = [{ path: 'body.name', message: 'is missing' }];
    expect(errorBody(new AppError('VALIDATION_FAILED', 'm', { details }), 'req_1').details).toEqual(details);
    expect(errorBody(notFound(), 'req_1')).not.toHaveProperty('details');
  });

  it('is the same for everything that is missing', () => {
    expect(errorBody(notFound(), 'req_1')).toEqual(errorBody(notFound(), 'req_1'));
  });
});

describe('toAppError', () => {
  it('lets an error with a meaning through', () => {
    const error = notFound();
    expect(toAppError(error)).toBe(error);
  });

  it.each([new Error('the password is 1234'), 'the password is 1234', null, undefined, { password: '1234' }])(
    'tells the caller nothing of %p, and keeps it for the log',
    (thrown) => {
      const error = toAppError(thrown);
      expect(error.status).toBe(500);
      expect(JSON.stringify(errorBody(error, 'req_1'))).not.toContain('1234');
      expect(error.cause).toBe(thrown);
    },
  );
});
