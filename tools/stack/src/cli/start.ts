import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { rotateLog, tailOfFile } from '../system/files.ts';
import { lockHolder } from '../system/lock.ts';
import type { AppForm } from '../stack/app-programs.ts';
import type { Home } from '../stack/home.ts';
import { createLineSink, createProgress } from '../stack/progress.ts';
import type { ProgressEvent, ProgressSink } from '../stack/progress.ts';
import { readStackFile } from '../stack/stack-file.ts';
import type { StackFile } from '../stack/stack-file.ts';
import { supervise } from '../stack/supervise.ts';
import { printFailure, reportFailure, welcome } from './messages.ts';
import type { FailureReport } from './messages.ts';
import { signInLink } from './sign-in-link.ts';

/** Messages of the supervisor to the command that started it in the background. */
type SupervisorMessage =
  | { kind: 'progress'; event: ProgressEvent }
  | { kind: 'ready'; stackFile: StackFile }
  | { kind: 'failed'; report: FailureReport };

export interface StartCommand {
  home: Home;
  env: NodeJS.ProcessEnv;
  form: AppForm;
  build: boolean;
}

function consoleSink(): ProgressSink {
  return createLineSink((line) => process.stdout.write(`${line}\n`), { colored: process.stdout.isTTY });
}

function supervisorLog(home: Home): string {
  return path.join(home.logsDirectory, 'stack.log');
}

/** Starts the stack in the foreground; Ctrl-C stops it. */
export async function startInForeground(command: StartCommand): Promise<number> {
  return supervise({
    ...appsDirectoryOf(command.env),
    ...command,
    progress: createProgress(consoleSink()),
    onReady: (stackFile) => void showWelcome(stackFile, 'Ctrl-C'),
  });
}

/** Starts the stack under a background supervisor, and returns when it is ready. */
export async function startInBackground({ home, form, build }: StartCommand): Promise<number> {
  if (lockHolder(home.lockFile) !== undefined) return reportRunningStack(home);
  rotateLog(supervisorLog(home));
  const log = fs.openSync(supervisorLog(home), 'a', 0o600);
  const main = path.join(import.meta.dirname, '..', 'main.ts');
  const supervisor = fork(
    main,
    ['supervise', ...(form === 'built' ? ['--built'] : []), ...(build ? [] : ['--no-build'])],
    {
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    },
  );
  fs.closeSync(log);
  const passOn = () => void supervisor.kill('SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, passOn);
  return followSupervisor(supervisor, home);
}

function followSupervisor(supervisor: ChildProcess, home: Home): Promise<number> {
  const show = consoleSink();
  return new Promise((resolve) => {
    let isFailureShown = false;
    supervisor.on('message', (message) => {
      const told = message as SupervisorMessage;
      if (told.kind === 'progress') show(told.event);
      if (told.kind === 'failed') {
        isFailureShown = true;
        printFailure(told.report);
      }
      if (told.kind !== 'ready') return;
      void showWelcome(told.stackFile, '"npm run stop"').then(() => {
        supervisor.disconnect();
        supervisor.unref();
        resolve(0);
      });
    });
    supervisor.once('exit', (code, signal) => {
      const wasAsked = code !== null && code > 128;
      if (!isFailureShown && !wasAsked) {
        const details = tailOfFile(supervisorLog(home), 15);
        printFailure({ message: `the supervisor ended (${signal ?? `exit code ${code}`}); its log:`, details });
      }
      resolve(wasAsked ? 130 : 1);
    });
  });
}

/** Tells what the stack offers, with a new link into the Workbench each time. */
async function showWelcome(stackFile: StackFile, endedBy: string): Promise<void> {
  const link = stackFile.workbenchUrl === undefined ? undefined : await signInLink(stackFile);
  process.stdout.write(`${welcome(stackFile, { endedBy, link })}\n`);
}

async function reportRunningStack(home: Home): Promise<number> {
  const stackFile = readStackFile(home.directory);
  if (stackFile === undefined) {
    printFailure({
      message: `a stack is being started or ended in ${home.directory}`,
      hint: 'Wait for it, or end it with "npm run stop".',
      details: [],
    });
    return 1;
  }
  process.stdout.write('The stack runs already.\n');
  await showWelcome(stackFile, '"npm run stop"');
  return 0;
}

/** Runs the supervisor of a background start. */
export async function superviseInBackground(command: StartCommand): Promise<number> {
  const tell = (message: SupervisorMessage) => {
    // The starting process may have ended already.
    if (process.connected) process.send?.(message, () => undefined);
  };
  const writeLog = createLineSink((line) => process.stdout.write(`${line}\n`), { colored: false });
  const sink: ProgressSink = (event) => {
    writeLog(event);
    tell({ kind: 'progress', event });
  };
  try {
    return await supervise({
      ...appsDirectoryOf(command.env),
      ...command,
      progress: createProgress(sink),
      onReady: (stackFile) => tell({ kind: 'ready', stackFile }),
    });
  } catch (error) {
    const report = reportFailure(error);
    tell({ kind: 'failed', report });
    printFailure(report);
    return 1;
  }
}

/** Applications that replace those of the checkout: tests set CLEW_APPS_DIR to a folder of built ones. */
function appsDirectoryOf(env: NodeJS.ProcessEnv): { appsDirectory?: string } {
  const directory = env['CLEW_APPS_DIR'];
  return directory === undefined || directory === '' ? {} : { appsDirectory: path.resolve(directory) };
}
