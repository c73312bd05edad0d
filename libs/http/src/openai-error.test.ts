import { describe, expect, it } from '@jest/globals';
import { AppError, type ErrorCode } from '@clew/kernel';
import { openAiErrorBody, ProviderAnswerError } from './openai-error.ts';

describe('an error in the OpenAI form', () => {
  it.each<[ErrorCode, string]>([
    ['VALIDATION_FAILED', 'invalid_request_error'],
    ['UNAUTHENTICATED', 'authentication_error'],
    ['FORBIDDEN', 'permission_error'],
    ['MODEL_NOT_FOUND', 'invalid_request_error'],
    ['RATE_LIMITED', 'rate_limit_error'],
    ['INTERNAL_ERROR', 'server_error'],
    ['PROVIDER_TIMEOUT', 'server_error'],
  ])('of %s has the type %s and the code in lower case', (code, type) => {
    expect(openAiErrorBody(new AppError(code, 'It says'))).toEqual({
      error: { message: 'It says', type, param: null, code: code.toLowerCase() },
    });
  });

  it('names the first member that is wrong', () => {
    const details = [
      { path: 'body.messages.0.role', message: 'is required' },
      { path: 'body.model', message: 'is required' },
    ];
    const error = new AppError('VALIDATION_FAILED', 'Two are wrong', { details });
    expect(openAiErrorBody(error).error.param).toBe('messages.0.role');
  });

  it('names the rights of which one is missing, and no member', () => {
    const details = [{ path: 'scope', message: 'gateway:invoke' }];
    expect(openAiErrorBody(new AppError('FORBIDDEN', 'No', { details })).error).toMatchObject({ param: null, details });
  });

  it('of a provider is what the provider said', () => {
    const said = {
      message: 'Too long',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    };
    expect(openAiErrorBody(new ProviderAnswerError('PROVIDER_REFUSED', said))).toEqual({ error: said });
  });
});
