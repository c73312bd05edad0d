import { describe, expect, it } from '@jest/globals';
import { apiErrors } from '../test-support/api-errors.ts';
import { ApiError, ConnectionError } from '@clew/sdk';
import { messageOf, problemOf } from './problem.ts';

const roleWith = (permission: string) => (permission === 'project:diagnostics:write' ? 'editor' : undefined);

describe('an error', () => {
  it('of a missing right names the right, the role, and who can give it', () => {
    const { text, mayRetry } = problemOf(apiErrors.forbidden('project:diagnostics:write'), roleWith);
    expect(text).toBe(
      'This needs the right project:diagnostics:write, which begins with the role editor. An admin of the project can give it.',
    );
    expect(mayRetry).toBe(false);
  });

  it('of a foreign thing reads like that of a missing one', () => {
    expect(problemOf(apiErrors.notFound('NOT_FOUND'), roleWith)).toEqual(
      problemOf(apiErrors.notFound('FINDING_NOT_FOUND'), roleWith),
    );
  });

  it('of a part that is away names the part', () => {
    const { title, text, requestId } = problemOf(apiErrors.unavailable('DIAGNOSTIC_RULES_UNAVAILABLE'), roleWith);
    expect(title).toBe('Not available at the moment');
    expect(text).toContain('Rules');
    expect(requestId).toBe('req_1');
  });

  it('without an answer may be tried again', () => {
    expect(problemOf(new ConnectionError('cut'), roleWith)).toMatchObject({ title: 'No answer', mayRetry: true });
  });

  it('of the page itself is shown, too', () => {
    expect(problemOf(new Error('x is undefined'), roleWith).text).toBe('x is undefined');
  });
});

it('is told without the request that the SDK begins it with', () => {
  const error = new ApiError('POST /v1/projects/p/x: 409 CONFLICT: It is paused: go on first', {
    ...{ status: 409, code: 'CONFLICT' },
  });
  expect(messageOf(error)).toBe('It is paused: go on first');
  expect(messageOf(new Error('GET /a: 500 X: b'))).toBe('GET /a: 500 X: b');
});
