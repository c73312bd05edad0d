import { join } from 'node:path';
import { CliError, EXIT, usageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { readConfig, readCredentials, readJsonFile } from './files.ts';

/** Options of every command that choose the deployment. */
export interface Chosen {
  url?: string | undefined;
  project?: string | undefined;
  profile?: string | undefined;
}

/** Deployment, credential and project of a command, and the place where they were found. */
export interface Settings {
  url: string;
  apiKey: string | undefined;
  project: string | undefined;
  /** Profile in use; undefined with an address from elsewhere. */
  profile: string | undefined;
  /** Place that names the address. */
  source: '--url' | 'CLEW_URL' | 'profile' | '.clew/stack.json';
}

/** Description of a development stack, as far as it matters here. */
interface StackFile {
  gatewayUrl?: unknown;
  apiKey?: unknown;
  projectId?: unknown;
}

/**
 * Finds deployment, credential and project: flag, then environment, then profile, then the development stack of the
 * working directory. A key that was stored for one deployment is never sent to another.
 */
export function settingsOf(io: Pick<Io, 'env' | 'directory'>, chosen: Chosen): Settings {
  const place = placeOf(io, chosen);
  if (place === undefined) {
    throw new CliError('No deployment is known', {
      exitCode: EXIT.notAllowed,
      hint: 'clew login --url https://clew.example.com, or set CLEW_URL and CLEW_API_KEY',
    });
  }
  return {
    ...place,
    apiKey: given(io.env['CLEW_API_KEY']) ?? place.apiKey,
    project: chosen.project ?? given(io.env['CLEW_PROJECT']) ?? place.project,
  };
}

const given = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

function placeOf(io: Pick<Io, 'env' | 'directory'>, chosen: Chosen): Settings | undefined {
  const name = chosen.profile ?? given(io.env['CLEW_PROFILE']);
  const stored = profileOf(io, name);
  const explicit = chosen.url ?? (chosen.profile === undefined ? given(io.env['CLEW_URL']) : undefined);
  if (explicit !== undefined) {
    const source = chosen.url === undefined ? 'CLEW_URL' : '--url';
    const known = [stored, stackOf(io)].find((each) => each !== undefined && isSameUrl(each.url, explicit));
    return { apiKey: undefined, project: undefined, profile: undefined, ...known, url: explicit, source };
  }
  return stored ?? stackOf(io);
}

function isSameUrl(one: string, other: string): boolean {
  const plain = (url: string) => URL.parse(url)?.href.replace(/\/$/, '') ?? url;
  return plain(one) === plain(other);
}

function profileOf(io: Pick<Io, 'env'>, wanted: string | undefined): Settings | undefined {
  const { current, profiles } = readConfig(io);
  const name = wanted ?? current;
  if (name === undefined) return undefined;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined) {
    if (wanted === undefined) return undefined;
    throw usageError(`There is no profile ${name}`, 'See them: clew profile list');
  }
  const credentials = readCredentials(io);
  const credential = Object.hasOwn(credentials, name) ? credentials[name] : undefined;
  const { url, project } = profile;
  return { url, project, apiKey: credential?.apiKey, profile: name, source: 'profile' };
}

function stackOf({ directory }: Pick<Io, 'directory'>): Settings | undefined {
  const file = readJsonFile(join(directory, '.clew/stack.json')) as StackFile | undefined;
  if (typeof file?.gatewayUrl !== 'string') return undefined;
  return {
    url: file.gatewayUrl,
    apiKey: typeof file.apiKey === 'string' ? file.apiKey : undefined,
    project: typeof file.projectId === 'string' ? file.projectId : undefined,
    profile: undefined,
    source: '.clew/stack.json',
  };
}
