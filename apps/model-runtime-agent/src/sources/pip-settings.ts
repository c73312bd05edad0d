import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

const PYPI = 'https://pypi.org/simple/';

/**
 * Finds the package index that pip uses on this machine: `PIP_INDEX_URL`, else `index-url` in pip's configuration files
 * (the user's before the machine's), else PyPI. A site that mirrors PyPI for pip has nothing else to set.
 */
export async function pipIndexUrl(env: NodeJS.ProcessEnv = process.env, home = homedir()): Promise<URL> {
  const fromEnvironment = env['PIP_INDEX_URL']?.trim();
  if (fromEnvironment) return new URL(fromEnvironment);
  for (const path of configurationFiles(env, home)) {
    const found = indexUrlIn(await readFile(path, 'utf8').catch(() => ''));
    if (found !== undefined) return new URL(found);
  }
  return new URL(PYPI);
}

const OF_REGISTRY = /^(?:PIP_\w+|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|(?:https?|no|all)_proxy)$/i;

/**
 * Variables that tell pip about the registry and how to reach it: `indexUrl`, and the agent's own variables about it.
 */
export function registryVariables(indexUrl: URL, env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const own = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && OF_REGISTRY.test(name) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(own), PIP_INDEX_URL: indexUrl.href };
}

/** Configuration files, the one with the highest precedence first. */
function configurationFiles(env: NodeJS.ProcessEnv, home: string): string[] {
  const named = env['PIP_CONFIG_FILE'];
  const configHome = env['XDG_CONFIG_HOME'] ?? join(home, '.config');
  // The null device is pip's way to read no configuration at all.
  if (named === '/dev/null') return [];
  return [
    ...(named === undefined ? [] : [named]),
    join(configHome, 'pip', 'pip.conf'),
    join(home, '.pip', 'pip.conf'),
    '/etc/xdg/pip/pip.conf',
    '/etc/pip.conf',
  ];
}

/**
 * Finds `index-url` in the sections `download` and `global`, the former before the latter, in the same order as pip.
 */
export function indexUrlIn(ini: string): string | undefined {
  const found = new Map<string, string>();
  let section = '';
  for (const line of ini.split(/\r?\n/)) {
    section = /^\[([^\]]+)\]/.exec(line)?.[1]?.trim() ?? section;
    const [, value] = /^\s*index[-_]url\s*[=:]\s*(\S+)\s*$/.exec(line) ?? [];
    if (value !== undefined) found.set(section, value);
  }
  return found.get('download') ?? found.get('global');
}
