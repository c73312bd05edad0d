import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

export interface JestRun {
  /** Path patterns of the test files. */
  patterns: readonly string[];
  /** Further Jest options. */
  options?: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** Starts MongoDB and RabbitMQ for the tests. */
  withServers?: boolean;
}

export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

const SLOWEST_SHOWN = 10;
/** Words of Jest about a worker that Node's own defect ended, see `JEST_NODE_FLAGS`. */
const CRASH = /jest worker process .* was terminated by another process: signal=SIGSEGV/;
/** Compiled modules of the programs that tests start, which load much the same ones; `start.mjs` keeps its own there. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/clew-compiled');

/**
 * Jest passes the flags of its own process to its workers. Node 24 occasionally crashes during garbage collection with
 * baseline code on the stack, most often when scripts run in separate contexts (nodejs/node#62393): a worker was lost
 * to SIGSEGV that way. `NODE_OPTIONS` does not accept this flag.
 */
const JEST_NODE_FLAGS = ['--no-sparkplug'];

/**
 * Runs Jest in a separate process and counts the results; a run that ends without a report counts as a failure. Files in
 * which Node itself crashed say nothing about the product: they are named, and run once more. Failed tests never are.
 */
export async function runJest(run: JestRun): Promise<TestCounts> {
  const { crashed, ...counts } = await runOnce(run);
  if (crashed.length === 0) return counts;
  process.stdout.write(`Node crashed (SIGSEGV), so these files run again:\n${crashed.join('\n')}\n`);
  const again = await runOnce({ ...run, patterns: crashed });
  return {
    passed: counts.passed + again.passed,
    failed: counts.failed - crashed.length + again.failed,
    skipped: counts.skipped + again.skipped,
  };
}

interface RunCounts extends TestCounts {
  /** Paths of the files whose process was ended by SIGSEGV. */
  crashed: string[];
}

async function runOnce(run: JestRun): Promise<RunCounts> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-jest-'));
  const report = join(folder, 'report.json');
  const jest = [process.execPath, ...JEST_NODE_FLAGS, join(ROOT, 'node_modules/jest/bin/jest.js')];
  const command = [...jest, '--json', `--outputFile=${report}`, ...(run.options ?? []), ...run.patterns];
  const servers = [process.execPath, join(ROOT, 'tools/stack/src/servers.ts'), '--'];
  try {
    const code = await runToEnd([...(run.withServers === true ? servers : []), ...command], {
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...process.env,
      ...run.env,
    });
    return await readCounts(report, code);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Members of Jest's report that are read here. */
interface JestReport {
  numPassedTests?: number;
  numFailedTests?: number;
  numPendingTests?: number;
  numRuntimeErrorTestSuites?: number;
  testResults: { name: string; startTime: number; endTime: number; message: string }[];
}

async function readCounts(report: string, code: number): Promise<RunCounts> {
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (text === undefined) return { passed: 0, failed: 1, skipped: 0, crashed: [] };
  const run = JSON.parse(text) as JestReport;
  const { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites } = run;
  process.stdout.write(slowestOf(run.testResults));
  const failed = (numFailedTests ?? 0) + (numRuntimeErrorTestSuites ?? 0);
  // An error outside of a test, such as an open handle.
  const hidden = code !== 0 && failed === 0 ? 1 : 0;
  const crashed = run.testResults.filter(({ message }) => CRASH.test(message)).map(({ name }) => name);
  return { passed: numPassedTests ?? 0, failed: failed + hidden, skipped: numPendingTests ?? 0, crashed };
}

/** Lines that name the slowest test files of a larger run, so that a new one is seen. */
function slowestOf(files: JestReport['testResults']): string {
  if (files.length <= SLOWEST_SHOWN) return '';
  const lines = files
    .map(({ name, startTime, endTime }) => ({ name: relative(ROOT, name), seconds: (endTime - startTime) / 1_000 }))
    .sort((left, right) => right.seconds - left.seconds)
    .slice(0, SLOWEST_SHOWN)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}\n`);
  return `Slowest test files:\n${lines.join('')}`;
}

/** Runs a command with its output shown; resolves with its exit code. */
export function runToEnd([command, ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(String(command), args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
