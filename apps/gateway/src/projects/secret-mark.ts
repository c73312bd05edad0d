import { deriveSecret } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import { workspaceModel } from './project.model.ts';

/** Mark that tells one AUTH_SECRET from another and reveals nothing about either. */
export function secretMark(authSecret: string): string {
  return deriveSecret(authSecret, 'secret-mark/v1').toString('base64url');
}

/**
 * Logs an error if no workspace was created under this AUTH_SECRET, as after a restore with a different one: every key
 * is then answered 401, and its holder learns nothing more. Resolves with whether the secret is known.
 */
export async function tellOfOtherSecret(database: Database, authSecret: string, logger: Logger): Promise<boolean> {
  const marks = await workspaceModel(database.connection).distinct('secretMark');
  if (marks.length === 0 || marks.includes(secretMark(authSecret))) return true;
  logger.error(
    'The API keys of this database were made under another AUTH_SECRET, and none of them works. Set the original value ' +
      '(after a restore, that of the time of the backup) and restart, or make new keys with bootstrap',
  );
  return false;
}
