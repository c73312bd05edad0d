import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliError, EXIT, usageError } from '../exit.ts';
import type { Io } from '../io.ts';

/** Place of work: a deployment and a project in it. */
export interface Profile {
  url: string;
  project?: string;
}

/** Content of `config.json`. */
export interface ConfigFile {
  current?: string;
  profiles: Record<string, Profile>;
}

/** Credential of a profile; `keyId` if this program made it by a sign-in. */
export interface Credential {
  apiKey: string;
  keyId?: string;
}

/** Content of `credentials.json`. */
export type CredentialsFile = Record<string, Credential>;

/** Returns the folder of the configuration. */
export function configFolder({ env }: Pick<Io, 'env'>): string {
  return join(folderOf(env['XDG_CONFIG_HOME']) ?? join(homeOf(env), '.config'), 'clew');
}

/** Returns the folder of what may be lost at any time. */
export function cacheFolder({ env }: Pick<Io, 'env'>): string {
  return join(folderOf(env['XDG_CACHE_HOME']) ?? join(homeOf(env), '.cache'), 'clew');
}

const folderOf = (value: string | undefined): string | undefined => (value === '' ? undefined : value);
const homeOf = (env: Io['env']): string => folderOf(env['HOME']) ?? homedir();

export function readConfig(io: Pick<Io, 'env'>): ConfigFile {
  const file = join(configFolder(io), 'config.json');
  const { profiles = {}, ...rest } = (readJsonFile(file) ?? {}) as Partial<ConfigFile>;
  return { ...rest, profiles };
}

export function writeConfig(io: Pick<Io, 'env'>, config: ConfigFile): void {
  writePrivately(join(configFolder(io), 'config.json'), config);
}

/**
 * Reads the credentials.
 *
 * @throws CliError if others than the owner may read them
 */
export function readCredentials(io: Pick<Io, 'env'>): CredentialsFile {
  const file = join(configFolder(io), 'credentials.json');
  const content = readJsonFile(file);
  if (content === undefined) return {};
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new CliError(`Others may read ${file}`, { exitCode: EXIT.notAllowed, hint: `chmod 600 ${file}` });
  }
  return content as CredentialsFile;
}

export function writeCredentials(io: Pick<Io, 'env'>, credentials: CredentialsFile): void {
  writePrivately(join(configFolder(io), 'credentials.json'), credentials);
}

/** Reads a file of JSON; undefined if there is none. */
export function readJsonFile(file: string): object | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR') {
      return undefined;
    }
    throw usageError(`Cannot read ${file}: ${(error as Error).message}`);
  }
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Told below, without the content.
  }
  throw usageError(`${file} holds no JSON object`);
}

/** Replaces a file as a whole; only its owner may read it. */
export function writePrivately(file: string, content: object): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  // The mode of `writeFileSync` counts only for a file that it makes.
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}
