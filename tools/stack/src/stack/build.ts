import path from 'node:path';
import { StackError } from '../system/errors.ts';
import { CommandError, run } from '../system/run.ts';
import { lastLines, lockBuilds, withLocalBinaries } from './checkout.ts';
import { REPOSITORY_ROOT } from './home.ts';
import { createLineSink, createProgress } from './progress.ts';
import type { Step } from './progress.ts';
import { hasWorkbench, WORKBENCH } from './workbench.ts';

const PROGRESS_EVERY_MS = 5_000;
const SHOWN_LINES = 60;

/**
 * Builds all projects with Nx, whose cache provides unchanged ones, apart from the Workbench: a stack runs without it, and
 * has its own record of what is built.
 */
export async function buildProjects(
  repositoryRoot: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  step: Step,
): Promise<void> {
  const nx = path.join(repositoryRoot, 'node_modules', '.bin', 'nx');
  const lock = await lockBuilds(repositoryRoot, signal, step);
  const exclude = hasWorkbench(repositoryRoot) ? [`--exclude=${WORKBENCH}`] : [];
  let builtCount = 0;
  let lastNoteMs = Date.now();
  try {
    await run(process.execPath, [nx, 'run-many', '--target=build', ...exclude, '--output-style=stream'], {
      cwd: repositoryRoot,
      env: { ...withLocalBinaries(repositoryRoot, env), NX_DAEMON: 'false', NX_TUI: 'false', FORCE_COLOR: '0' },
      signal,
      onLine(line) {
        if (/^> nx run /.test(line)) builtCount += 1;
        if (Date.now() - lastNoteMs < PROGRESS_EVERY_MS) return;
        lastNoteMs = Date.now();
        step.note(`${builtCount} projects so far`);
      },
    });
  } catch (error) {
    if (!(error instanceof CommandError) || signal.aborted) throw error;
    throw new StackError(
      `the build failed:\n${lastLines(error.output, SHOWN_LINES).join('\n')}`,
      'Correct what the compiler names and start again.',
    );
  } finally {
    lock.release();
  }
  step.summary(`${builtCount} projects`);
}

/** Builds all projects of this checkout for a process outside a stack; tells of it on standard error. */
export async function buildApps(): Promise<void> {
  const show = createLineSink((line) => void process.stderr.write(`${line}\n`), { colored: false });
  const { signal } = new AbortController();
  await createProgress(show).step('build', (step) => buildProjects(REPOSITORY_ROOT, process.env, signal, step));
}
