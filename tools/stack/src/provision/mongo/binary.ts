import { Unavailable } from '../../system/errors.ts';
import { CommandError, run } from '../../system/run.ts';
import type { ProvisionContext } from '../context.ts';
import { libraryDirectories, unpackPackages } from '../debian.ts';

/** mongod binary that has been run successfully. */
export interface MongoBinary {
  file: string;
  version: string;
  env: NodeJS.ProcessEnv;
}

// Older versions lack features of change streams and transactions that the services need.
const OLDEST_MAJOR = 6;

/** Runs `mongod --version`; on Debian, missing libraries are unpacked next to it. */
export async function verifyMongod(file: string, context: ProvisionContext): Promise<MongoBinary> {
  try {
    return await checkVersion(file, context.env, context);
  } catch (error) {
    if (!(error instanceof CommandError) || !error.output.includes('error while loading shared libraries')) throw error;
    context.log('mongod lacks shared libraries here; fetching them');
    const root = await unpackPackages({ name: 'mongod-libraries', roots: ['libcurl4'], wanted: /^$/ }, context);
    const known = context.env['LD_LIBRARY_PATH'];
    const directories = [...libraryDirectories(root), ...(known === undefined ? [] : [known])];
    return await checkVersion(file, { ...context.env, LD_LIBRARY_PATH: directories.join(':') }, context);
  }
}

async function checkVersion(file: string, env: NodeJS.ProcessEnv, context: ProvisionContext): Promise<MongoBinary> {
  const { stdout } = await run(file, ['--version'], { env, signal: context.signal, timeoutMs: 10_000 });
  const version = /db version v(\d+)\.(\S+)/.exec(stdout);
  if (version === null) throw new Unavailable(`${file} --version names no version`);
  if (Number(version[1]) < OLDEST_MAJOR) {
    throw new Unavailable(`${file} is version ${version[1]}.${version[2]}, and ${OLDEST_MAJOR}.0 or newer is needed`);
  }
  return { file, version: `${version[1]}.${version[2]}`, env };
}
