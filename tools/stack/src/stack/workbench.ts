import fs from 'node:fs';
import path from 'node:path';
import { compressFiles } from '../system/compress-files.ts';
import { createDirectoryAtomic } from '../system/files.ts';
import { CommandError, run } from '../system/run.ts';
import { lastLines, lockBuilds, withLocalBinaries } from './checkout.ts';
import { digestOfSources } from './digest.ts';
import type { Step } from './progress.ts';

/** Name of the package of the Workbench. */
export const WORKBENCH = '@clew/workbench';
const FOLDER = path.join('apps', 'workbench');
/** Files and folders of the checkout that the build reads. */
const SOURCES = [FOLDER, path.join('libs', 'sdk'), 'package-lock.json'];
const KEPT_BUILDS = 5;
const SHOWN_LINES = 20;

export interface WorkbenchOptions {
  repositoryRoot: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Whether it may be built; otherwise only an earlier build is used. */
  build: boolean;
}

/** Tells whether the checkout has a Workbench. */
export function hasWorkbench(repositoryRoot: string): boolean {
  return fs.existsSync(path.join(repositoryRoot, FOLDER, 'package.json'));
}

/**
 * Provides the built Workbench, and resolves with its folder. It is built once for each content of its sources. If that
 * fails, this is told, and the stack runs without it: undefined.
 */
export async function provideWorkbench(options: WorkbenchOptions, step: Step): Promise<string | undefined> {
  const { repositoryRoot, signal } = options;
  const folder = folderOf(repositoryRoot);
  if (takeBuilt(folder, step)) return folder;
  if (!options.build) {
    step.skip('these sources are not built (--no-build); the stack runs without it');
    return undefined;
  }
  const lock = await lockBuilds(repositoryRoot, signal, step);
  try {
    // Another start of the checkout may have built it while this one waited.
    if (takeBuilt(folder, step)) return folder;
    await build(options, folder);
    removeOldBuilds(path.dirname(folder));
    step.summary('built');
    return folder;
  } catch (error) {
    if (signal.aborted || !(error instanceof CommandError || error instanceof NothingBuilt)) throw error;
    const output = error instanceof CommandError ? error.output : error.message;
    for (const line of lastLines(output || error.message, SHOWN_LINES)) step.note(line);
    step.skip('it could not be built; the stack runs without it, and the next start tries again');
    return undefined;
  } finally {
    lock.release();
  }
}

/** Folder of the Workbench as these sources make it; undefined if it has not been built. */
export function builtWorkbench(repositoryRoot: string): string | undefined {
  if (!hasWorkbench(repositoryRoot)) return undefined;
  const folder = folderOf(repositoryRoot);
  return fs.existsSync(folder) ? folder : undefined;
}

class NothingBuilt extends Error {}

function folderOf(repositoryRoot: string): string {
  const builds = path.join(repositoryRoot, 'node_modules', '.cache', 'clew-workbench');
  return path.join(builds, digestOfSources(repositoryRoot, SOURCES));
}

function takeBuilt(folder: string, step: Step): boolean {
  if (!fs.existsSync(folder)) return false;
  const now = new Date();
  // Builds that are used are the last to be removed.
  fs.utimesSync(folder, now, now);
  step.skip('built before');
  return true;
}

async function build({ repositoryRoot, env, signal }: WorkbenchOptions, folder: string): Promise<void> {
  await run('npm', ['run', 'build', '--workspace', WORKBENCH], {
    ...{ cwd: repositoryRoot, signal },
    env: { ...withLocalBinaries(repositoryRoot, env), FORCE_COLOR: '0' },
  });
  const built = path.join(repositoryRoot, FOLDER, 'dist');
  if (!fs.existsSync(path.join(built, 'index.html')))
    throw new NothingBuilt(`the build wrote no ${FOLDER}/dist/index.html`);
  await createDirectoryAtomic(folder, async (temporary) => {
    await fs.promises.cp(built, temporary, { recursive: true });
    await compressFiles(temporary);
  });
}

function removeOldBuilds(builds: string): void {
  const byUse = fs
    .readdirSync(builds)
    .map((name) => path.join(builds, name))
    .toSorted((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs);
  for (const old of byUse.slice(KEPT_BUILDS)) fs.rmSync(old, { recursive: true, force: true });
}
