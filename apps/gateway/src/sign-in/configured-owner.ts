import { readFile } from 'node:fs/promises';
import { newId } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { UsageError, type Logger } from '@clew/runtime';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { problemOfPassword } from '../passwords/password-rules.ts';
import type { UserStore } from '../people/users.store.ts';
import type { MakeFirstOwner } from './first-owner.ts';

export interface ConfiguredOwnerDependencies {
  database: Database;
  users: Pick<UserStore, 'hasAny'>;
  makeFirstOwner: MakeFirstOwner;
  hasher: PasswordHasher;
  logger: Logger;
  minPasswordLength: number;
}

const MAX_FILE_LENGTH = 1_024;

/** Reads a password from a file; a line break at its end does not belong to it. */
export async function readPasswordFile(file: string, variable: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new UsageError(`${variable}: ${file} cannot be read (${code})`);
  }
  if (text.length > MAX_FILE_LENGTH) throw new UsageError(`${variable}: ${file} is too long for a password`);
  return text.replace(/\r?\n$/, '');
}

/** Makes the first owner with the configured address and password, if nobody has an account yet. */
export async function makeConfiguredOwner(
  deps: ConfiguredOwnerDependencies,
  { email, passwordFile }: { email: string; passwordFile: string },
): Promise<void> {
  if (await deps.users.hasAny()) return;
  const password = await readPasswordFile(passwordFile, 'CLEW_ADMIN_PASSWORD_FILE');
  const name = email.split('@', 1)[0] ?? email;
  const problem = problemOfPassword(password, deps.minPasswordLength, { email, name });
  if (problem !== undefined) throw new UsageError(`CLEW_ADMIN_PASSWORD_FILE: the password ${problem}`);
  const passwordHash = await deps.hasher.hash(password);
  const by = {
    actor: { kind: 'bootstrap', id: 'bootstrap' },
    origin: { address: null, requestId: newId('req') },
  } as const;
  const owner = await deps.database.withTransaction((tx) => deps.makeFirstOwner(tx, { email, name, passwordHash }, by));
  if (owner !== undefined) deps.logger.info({ userId: owner.id }, 'made the first owner from CLEW_ADMIN_EMAIL');
}
