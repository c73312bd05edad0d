import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Process of a benchmark. */
export interface Child {
  readonly pid: number;
  stop(): Promise<void>;
}

export interface StartOptions {
  args?: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** Options for Node itself, before the script. */
  nodeOptions?: readonly string[];
}

const STOP_TIMEOUT_MS = 15_000;

/** Runs a script with the current Node, so that all contenders use the same one, in production mode. */
function nodeProcess(script: string, options: StartOptions, stdout: 'pipe' | number): ChildProcess {
  // Built scripts need built libraries, so only sources get the condition.
  const conditions = script.endsWith('.ts') ? ['--conditions=clew-source'] : [];
  const nodeArgs = [...conditions, ...(options.nodeOptions ?? []), script, ...(options.args ?? [])];
  return spawn(process.execPath, nodeArgs, {
    stdio: ['ignore', stdout, 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...options.env },
  });
}

/** Starts a server script that prints its port on its first line. */
export async function startServer(script: string, options: StartOptions = {}): Promise<Child & { port: number }> {
  const child = nodeProcess(script, options, 'pipe');
  if (child.stdout === null) throw new Error('The process has no output');
  const lines = createInterface(child.stdout);
  const [line] = (await Promise.race([once(lines, 'line'), failure(child, script)])) as [string];
  return { ...handleOf(child), port: Number(line) };
}

/** Starts a script that logs to a file, as a service in production logs to a pipe or a file. */
export function startLogging(script: string, logFile: string, options: StartOptions = {}): Child {
  return handleOf(nodeProcess(script, options, openSync(logFile, 'a')));
}

/** Runs a script to its end and returns its output. */
export async function runScript(script: string, options: StartOptions = {}): Promise<string> {
  return await outputOf(nodeProcess(script, options, 'pipe'), script);
}

/** Runs a program to its end and returns its output. */
export async function runProgram(program: string, args: readonly string[]): Promise<string> {
  return await outputOf(spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] }), program);
}

/** Starts a program that runs until it is stopped. */
export function startProgram(program: string, args: readonly string[]): Child {
  return handleOf(spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }));
}

async function outputOf(child: ChildProcess, name: string): Promise<string> {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${text}`);
  return text;
}

function handleOf(child: ChildProcess): Child {
  if (child.pid === undefined) throw new Error('The process did not start');
  return {
    pid: child.pid,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(deadline);
    },
  };
}

async function failure(child: ChildProcess, script: string): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null];
  throw new Error(`${script} ended with ${code} before it was ready`);
}
