import { AppError, comeBackLater } from '@clew/kernel';

const RETRY_AFTER_MS = 5_000;

/** Maps a refusal of the hub to an error for the project. */
export function hubRefusal(status: number, errorCode: string | null | undefined): AppError {
  if (errorCode === 'GatedRepo' || (status === 403 && errorCode !== 'RepoNotFound')) {
    return new AppError(
      'GATED_REPOSITORY',
      'The repository is gated: ask for access on the hub and set the token of an account that has it',
    );
  }
  if (errorCode === 'RevisionNotFound') return new AppError('MODEL_NOT_FOUND', 'The hub does not know the revision');
  if (errorCode === 'EntryNotFound') return new AppError('MODEL_NOT_FOUND', 'The repository does not hold the file');
  // The hub answers 401 for a repository that does not exist, so that private ones are not revealed.
  if (errorCode === 'RepoNotFound' || status === 401 || status === 404) {
    return new AppError('MODEL_NOT_FOUND', 'The hub does not know the repository, or its token does not open it');
  }
  return new AppError('UPSTREAM_UNAVAILABLE', `The hub answered ${status}`);
}

export function hubAway(message: string, cause?: unknown): AppError {
  return comeBackLater('UPSTREAM_UNAVAILABLE', message, RETRY_AFTER_MS, cause);
}
