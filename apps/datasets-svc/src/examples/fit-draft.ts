import type { NewExample } from '@clew/contracts';
import { AppError, type ErrorDetail } from '@clew/kernel';
import { draftExample, UnfitExampleError, type ExampleDraft } from './example.ts';

/** Makes a draft of a request's Example, or throws an error with the path in the body. */
export function fitDraft(input: NewExample): ExampleDraft {
  try {
    return draftExample(input);
  } catch (error) {
    if (error instanceof UnfitExampleError) throw unfit(error.detail, 'body');
    throw error;
  }
}

/** Error of content that cannot be stored, with its path. */
export function unfit({ path, message }: ErrorDetail, prefix: string): AppError {
  const detail = { path: path === '' ? prefix : `${prefix}.${path}`, message };
  return new AppError('VALIDATION_FAILED', `${detail.path}: ${message}`, { details: [detail] });
}
