import { Unavailable } from '../system/errors.ts';
import { findOnPath } from '../system/files.ts';
import { run } from '../system/run.ts';
import type { ProvisionContext } from './context.ts';

const INSTALL_TIMEOUT_MS = 300_000;

/**
 * Installs Debian packages system-wide, as root or with a sudo that asks for no password. It is the last resort,
 * because it changes the machine and not only this directory.
 */
export async function aptInstall(
  packages: readonly string[],
  context: Pick<ProvisionContext, 'env' | 'log' | 'signal'>,
): Promise<void> {
  if (findOnPath('apt-get', context.env['PATH']) === undefined) throw new Unavailable('this system has no apt-get');
  const prefix = await rootPrefix(context);
  const options = {
    env: { ...context.env, DEBIAN_FRONTEND: 'noninteractive' },
    signal: context.signal,
    timeoutMs: INSTALL_TIMEOUT_MS,
    // An interrupted installation could leave the system's package database in need of repair.
    endSignal: 'SIGTERM',
  } as const;
  const aptGet = (args: readonly string[]) => {
    const [file = 'apt-get', ...rest] = [...prefix, 'apt-get', ...args];
    return run(file, rest, options);
  };
  context.log(`installing ${packages.join(', ')} with apt-get`);
  const install = ['-q', 'install', '-y', '--no-install-recommends', ...packages];
  await aptGet(install).catch(async () => {
    context.signal.throwIfAborted();
    await aptGet(['-q', 'update']);
    await aptGet(install);
  });
}

async function rootPrefix(context: Pick<ProvisionContext, 'env' | 'signal'>): Promise<string[]> {
  if (process.getuid?.() === 0) return [];
  if (findOnPath('sudo', context.env['PATH']) === undefined) throw new Unavailable('needs root, and there is no sudo');
  await run('sudo', ['-n', 'true'], { env: context.env, signal: context.signal, timeoutMs: 5_000 }).catch(() => {
    throw new Unavailable('needs root, and sudo asks for a password');
  });
  // sudo drops the environment, so the setting that keeps apt from asking questions is passed again.
  return ['sudo', '-n', 'DEBIAN_FRONTEND=noninteractive'];
}
