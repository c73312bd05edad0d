import fs from 'node:fs';
import path from 'node:path';
import { reasonOf, StackError, Unavailable } from '../system/errors.ts';
import { run } from '../system/run.ts';
import type { ProvisionContext } from './context.ts';
import { libraryDirectories, unpackPackages } from './debian.ts';
import { aptInstall } from './privileges.ts';

/** Chromium that has been run successfully. */
export interface Chromium {
  file: string;
  /** Environment that it needs, where its libraries are not those of the system. */
  env: NodeJS.ProcessEnv;
  /** Version and origin, such as "Chromium 156.0.8078.79, /usr/bin/chromium". */
  description: string;
}

type ChromiumContext = Pick<ProvisionContext, 'cacheDirectory' | 'env' | 'log' | 'signal'>;
type Program = Pick<Chromium, 'file' | 'env'>;

const INSTALLED = '/usr/bin/chromium';
const VERSION_TIMEOUT_MS = 30_000;
const HELP = [
  'To help, do one of these and start again:',
  '  - set CHROMIUM_PATH to a Chromium or Chrome that is there already;',
  `  - install Chromium (Debian: chromium), so that it is at ${INSTALLED};`,
  '  - on Debian, let apt-get reach its package sources.',
].join('\n');

/**
 * Provides Chromium from the first source that works here: `CHROMIUM_PATH`, the installed one, one that apt-get installs
 * where that is allowed, or Debian's packages unpacked without root.
 */
export async function provideChromium(context: ChromiumContext): Promise<Chromium> {
  const named = context.env['CHROMIUM_PATH'] ?? '';
  if (named !== '') return verified({ file: named, env: context.env }, 'CHROMIUM_PATH', context);
  const reasons: string[] = [];
  for (const [origin, attempt] of SOURCES) {
    try {
      return await verified(await attempt(context), origin, context);
    } catch (error) {
      context.signal.throwIfAborted();
      reasons.push(`  - ${origin}: ${reasonOf(error)}`);
    }
  }
  throw new StackError(`Chromium could not be provided:\n${reasons.join('\n')}`, HELP);
}

const SOURCES: readonly (readonly [string, (context: ChromiumContext) => Promise<Program>])[] = [
  [INSTALLED, installedChromium],
  ['apt-get install', chromiumFromApt],
  ["Debian's packages, unpacked", unpackedChromium],
];

async function verified({ file, env }: Program, origin: string, { signal }: ChromiumContext): Promise<Chromium> {
  const { stdout } = await run(file, ['--version'], { env, signal, timeoutMs: VERSION_TIMEOUT_MS });
  const version = /(?:Chrom\w+ )+[\d.]+/.exec(stdout)?.[0];
  if (version === undefined) throw new Unavailable(`${file} --version names no version`);
  return { file, env, description: `${version}, ${origin}` };
}

async function installedChromium({ env }: ChromiumContext): Promise<Program> {
  if (!fs.existsSync(INSTALLED)) throw new Unavailable('there is none');
  return { file: INSTALLED, env };
}

async function chromiumFromApt(context: ChromiumContext): Promise<Program> {
  await aptInstall(['chromium'], context);
  return installedChromium(context);
}

// Tests of many stacks share it, so it is unpacked beside the downloads, and not in the home of one of them.
async function unpackedChromium(context: ChromiumContext): Promise<Program> {
  const root = await unpackPackages(
    { name: 'chromium', roots: ['chromium'], wanted: /^(chromium(-common)?|fonts-dejavu-core|fontconfig-config)$/ },
    { ...context, packagesDirectory: path.join(context.cacheDirectory, 'packages') },
  );
  // The program of this name in /usr/bin is a script with the paths of an installation.
  const file = path.join(root, 'usr/lib/chromium/chromium');
  if (!fs.existsSync(file)) throw new Unavailable(`the packages hold no ${file}`);
  return { file, env: { ...context.env, LD_LIBRARY_PATH: chromiumLibraries(root, context.env).join(':') } };
}

/** Directories of the unpacked libraries; PulseAudio keeps some of its own in a further one. */
export function chromiumLibraries(root: string, env: NodeJS.ProcessEnv): string[] {
  const directories = libraryDirectories(root);
  const known = env['LD_LIBRARY_PATH'];
  return [
    ...directories,
    ...directories.map((directory) => path.join(directory, 'pulseaudio')).filter((each) => fs.existsSync(each)),
    ...(known === undefined || known === '' ? [] : [known]),
  ];
}
